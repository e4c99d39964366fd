/**
 * Messages with placeholders, in the part of ICU’s message format that the page needs:
 * `{name}`, `{n, plural, one {1 die} other {# dice}}` and `{seat, select, gm {…} other {…}}`.
 *
 * `#` is the number of the innermost plural. A branch named `=2` is for that number alone; `other` must be there.
 */

export type Value = string | number;
export type Values = Readonly<Record<string, Value>>;

interface Choice {
  name: string;
  by: "plural" | "select";
  branches: ReadonlyMap<string, readonly Part[]>;
}
type Part = string | { name: string } | { number: true } | Choice;

const CHOICE = /^\s*(\w+)\s*,\s*(plural|select)\s*,/;

/** Reads a message from left to right. */
class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  /** Parts up to the brace that closes this level, or to the end. */
  parts(inPlural: boolean): Part[] {
    const found: Part[] = [];
    for (; this.at < this.text.length; this.at++) {
      const next = this.text[this.at];
      if (next === "}") break;
      if (next === "{") found.push(this.placeholder(inPlural));
      else if (next === "#" && inPlural) found.push({ number: true });
      else if (typeof found.at(-1) === "string") found.push(`${found.pop() as string}${next}`);
      else found.push(next ?? "");
    }
    return found;
  }

  private placeholder(inPlural: boolean): Part {
    this.at++;
    const choice = CHOICE.exec(this.text.slice(this.at));
    if (!choice) {
      const end = this.text.indexOf("}", this.at);
      const name = this.text.slice(this.at, end).trim();
      this.at = end;
      return { name };
    }
    const [whole, name = "", by = ""] = choice;
    this.at += whole.length;
    return { name, by: by as Choice["by"], branches: this.branches(inPlural || by === "plural") };
  }

  private branches(inPlural: boolean): Map<string, Part[]> {
    const found = new Map<string, Part[]>();
    for (;;) {
      const open = this.text.indexOf("{", this.at);
      const name = this.text.slice(this.at, open).trim();
      if (open < 0 || name.startsWith("}")) break;
      this.at = open + 1;
      found.set(name, this.parts(inPlural));
      this.at++;
      if (/^\s*\}/.test(this.text.slice(this.at))) break;
    }
    this.at = this.text.indexOf("}", this.at);
    return found;
  }
}

const read = new Map<string, readonly Part[]>();

function partsOf(message: string): readonly Part[] {
  const known = read.get(message);
  if (known) return known;
  const parts = new Reader(message).parts(false);
  read.set(message, parts);
  return parts;
}

/** The message with its values, by the plural rules and number format of the language. */
export function formatted(message: string, values: Values, language: string): string {
  return message.includes("{") ? written(partsOf(message), values, language, 0) : message;
}

function written(parts: readonly Part[], values: Values, language: string, number: number): string {
  return parts.map((part) => writtenPart(part, values, language, number)).join("");
}

function writtenPart(part: Part, values: Values, language: string, number: number): string {
  if (typeof part === "string") return part;
  if ("number" in part) return count(number, language);
  const value = values[part.name] ?? `{${part.name}}`;
  if (!("by" in part)) return typeof value === "number" ? count(value, language) : value;
  const n = part.by === "plural" ? Number(value) : number;
  const branch = part.branches.get(part.by === "plural" ? pluralOf(part, n, language) : String(value)) ?? part.branches.get("other");
  return written(branch ?? [], values, language, n);
}

function pluralOf(part: Choice, n: number, language: string): string {
  return part.branches.has(`=${n}`) ? `=${n}` : new Intl.PluralRules(language).select(n);
}

/** A number as the language writes it. */
export function count(n: number, language: string): string {
  return new Intl.NumberFormat(language).format(n);
}

/** The names of a message’s placeholders, sorted; what two translations of one text must share. */
export function placeholders(message: string): string[] {
  const found = new Set<string>();
  const collect = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (typeof part === "string" || "number" in part) continue;
      found.add(part.name);
      if ("by" in part) for (const branch of part.branches.values()) collect(branch);
    }
  };
  collect(partsOf(message));
  return [...found].sort();
}
