/** Chances as text. The server sends exact numerators; only what is derived from them is formatted here. */
import { chartWords as words } from "../strings/chart.js";

const MINUS = "−";
const LONGEST_FRACTION = 24;

/** `247/324`, in lowest terms. */
export function reduced(numerator: string, denominator: string): string {
  const top = BigInt(numerator);
  const bottom = BigInt(denominator);
  const shared = divisor(top < 0n ? -top : top, bottom);
  return `${top / shared}/${bottom / shared}`;
}

function divisor(a: bigint, b: bigint): bigint {
  while (b) [a, b] = [b, a % b];
  return a || 1n;
}

/** A fraction with hundreds of digits is told by its size. */
export function exactText(fraction: string): string {
  if (fraction.length <= LONGEST_FRACTION * 2) return fraction;
  return words.digits(fraction.length - 1);
}

/** What can happen is never 0 %, and what can fail to happen is never 100 %. */
export function formatPercent(share: number, certain: boolean): string {
  if (share === 0) return "0%";
  if (certain) return "100%";
  const percent = share * 100;
  if (percent > 99.9) return percent < 99.99 ? `${percent.toFixed(2)}%` : ">99.99%";
  if (percent < 0.1) return percent > 0.0001 ? `${Number(percent.toPrecision(2))}%` : "<0.0001%";
  return `${percent.toFixed(1)}%`;
}

/** `+2.3`: the difference of two chances in percentage points. */
export function formatPoints(difference: number): string {
  const points = Math.abs(difference) * 100;
  if (points < 1e-9) return "0";
  const shown = points >= 0.05 ? points.toFixed(1) : String(Number(points.toPrecision(2)));
  return (difference > 0 ? "+" : MINUS) + shown;
}

/** `1 in 13.9`, for those who think in tries rather than in percent. */
export function oneIn(share: number): string {
  if (share <= 0) return words.never;
  if (share >= 1) return words.always;
  const tries = 1 / share;
  if (tries >= 1e9) return words.oneIn(tries.toExponential(1));
  if (tries >= 1000 || Number.isInteger(tries)) return words.oneIn(Math.round(tries).toLocaleString("en"));
  return tries < 1.005 ? words.nearlyAlways : words.oneIn(tries.toFixed(tries >= 10 ? 1 : 2));
}

/** Labels come as programs write them; people read `critical success` and `yes`. */
export function readable(label: string): string {
  return label
    .split(",")
    .map((part) => words.values[part] ?? part.replaceAll("_", " ").replace(/^-(?=\d)/, MINUS))
    .join(", ");
}
