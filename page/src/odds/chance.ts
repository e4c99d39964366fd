/** Chances as text, and exact arithmetic with fractions of hundreds of digits. */

import { decimal, t } from "../strings/words.js";

const MINUS = "−";
const LONGEST_FRACTION = 48;
const WORDS: Readonly<Record<string, () => string>> = { true: () => t("chart.values.true"), false: () => t("chart.values.false") };

/** `247/324`, in lowest terms. */
export function reduced(top: bigint, bottom: bigint): string {
  const shared = divisor(top < 0n ? -top : top, bottom);
  return `${top / shared}/${bottom / shared}`;
}

/** The sum of two fractions, in lowest terms. */
export function added(one: string, other: string): string {
  const [[a, b], [c, d]] = [parts(one), parts(other)];
  return b === d ? reduced(a + c, b) : reduced(a * d + c * b, b * d);
}

/** A fraction as a number; both of its parts may be larger than numbers get. */
export function shareOf(fraction: string): number {
  const [top, bottom] = parts(fraction);
  return Number((top * 10n ** 18n) / bottom) / 1e18;
}

function parts(fraction: string): [bigint, bigint] {
  const [top = "0", bottom = "1"] = fraction.split("/");
  return [BigInt(top), BigInt(bottom)];
}

function divisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller) [larger, smaller] = [smaller, larger % smaller];
  return larger || 1n;
}

/** A fraction as text; one that is too long is described by its length. */
export function exactText(fraction: string): string {
  return fraction.length <= LONGEST_FRACTION ? fraction : t("chart.digits", { n: fraction.length - 1 });
}

/** A fraction as `45.9%`. Never 0% for what can happen, never 100% for what can fail to happen. */
export function formatPercent(fraction: string): string {
  const sign = (n: string) => t("chart.percent", { n });
  if (fraction === "0/1") return sign("0");
  if (fraction === "1/1") return sign("100");
  const percent = shareOf(fraction) * 100;
  if (percent > 99.9) return percent < 99.99 ? sign(decimal(percent, 2)) : `>${sign(decimal(99.99, 2))}`;
  if (percent < 0.1) return percent > 0.0001 ? sign(decimal(Number(percent.toPrecision(2)))) : `<${sign(decimal(0.0001))}`;
  return sign(decimal(percent, 1));
}

/** A mean or another number: at most two decimals, and none where it is whole. */
export function formatNumber(n: number): string {
  return decimal(Number(n.toFixed(2))).replace("-", MINUS);
}

/** `+2.3`: the difference of two chances in percentage points. */
export function formatPoints(difference: number): string {
  const points = Math.abs(difference) * 100;
  if (points < 1e-9) return "0";
  const shown = points >= 0.05 ? decimal(points, 1) : decimal(Number(points.toPrecision(2)));
  return (difference > 0 ? "+" : MINUS) + shown;
}

/** `1 in 13.9`, for those who think in tries rather than in percent. */
export function oneIn(share: number): string {
  if (share <= 0) return t("chart.never");
  if (share >= 1) return t("chart.always");
  const tries = 1 / share;
  const told = (n: string) => t("chart.oneIn", { tries: n });
  if (tries >= 1e9) return told(tries.toExponential(1));
  if (tries >= 1000 || Number.isInteger(tries)) return told(decimal(Math.round(tries)));
  return tries < 1.005 ? t("chart.nearlyAlways") : told(decimal(tries, tries >= 10 ? 1 : 2));
}

/** A label as people read it: `critical_success` becomes "critical success", `true` "yes". */
export function readable(label: string): string {
  return label
    .split(",")
    .map((part) => WORDS[part]?.() ?? part.replaceAll("_", " ").replace(/^-(?=\d)/, MINUS))
    .join(", ");
}
