import ts from "typescript";
import { describe, expect, it } from "vitest";
import { chat as chatDe } from "../../src/strings/de/chat.js";
import { de } from "../../src/strings/de/index.js";
import { around as aroundDe } from "../../src/strings/de/around.js";
import { check as checkDe } from "../../src/strings/de/check.js";
import { chart as chartDe } from "../../src/strings/de/chart.js";
import { felt as feltDe } from "../../src/strings/de/felt.js";
import { first as firstDe } from "../../src/strings/de/first.js";
import { lab as labDe } from "../../src/strings/de/lab.js";
import { start as startDe } from "../../src/strings/de/start.js";
import { chat } from "../../src/strings/en/chat.js";
import { en } from "../../src/strings/en/index.js";
import { around } from "../../src/strings/en/around.js";
import { check } from "../../src/strings/en/check.js";
import { chart } from "../../src/strings/en/chart.js";
import { felt } from "../../src/strings/en/felt.js";
import { first } from "../../src/strings/en/first.js";
import { lab } from "../../src/strings/en/lab.js";
import { start } from "../../src/strings/en/start.js";
import { formatted, placeholders } from "../../src/strings/message.js";

const english: Record<string, string> = { ...en, ...around, ...felt, ...chart, ...first, ...check, ...lab, ...start, ...chat };
const german: Record<string, string> = {
  ...de,
  ...aroundDe,
  ...feltDe,
  ...chartDe,
  ...firstDe,
  ...checkDe,
  ...labDe,
  ...startDe,
  ...chatDe,
};
const sources: Record<string, string> = import.meta.glob(["../../src/**/*.ts", "!../../src/strings/*/**", "!../../src/api/schema.d.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

interface Use {
  /** The key, or for a key that is made while the page runs how it begins. */
  key: string;
  made: boolean;
  /** Names of the values; undefined where they are not written out. */
  values: string[] | undefined;
}

/** Every key that stands in the page's code: in a call of `t`, or anywhere else as a text of its own. */
const calls: Use[] = [];
const words = new Set<string>();

function visit(node: ts.Node): void {
  if (ts.isStringLiteral(node)) words.add(node.text);
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "t") read(node);
  ts.forEachChild(node, visit);
}

function read(call: ts.CallExpression): void {
  const [key, values] = call.arguments;
  const names = !values ? [] : ts.isObjectLiteralExpression(values) ? named(values) : undefined;
  if (key && ts.isStringLiteral(key)) calls.push({ key: key.text, made: false, values: names });
  else if (key && ts.isTemplateExpression(key)) calls.push({ key: key.head.text, made: true, values: names });
}

function named(values: ts.ObjectLiteralExpression): string[] | undefined {
  const names = values.properties.map((property) => (property.name && !ts.isSpreadAssignment(property) ? property.name.getText() : ""));
  return names.includes("") ? undefined : names.sort();
}

for (const [name, text] of Object.entries(sources)) visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));

describe("the catalogues", () => {
  it("have the same keys in English and German", () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
  });

  it("have the same placeholders in both", () => {
    const unlike = Object.keys(english).filter((key) => `${placeholders(english[key] ?? "")}` !== `${placeholders(german[key] ?? "")}`);
    expect(unlike).toEqual([]);
  });

  it("say something in German for every key that says something in English", () => {
    expect(Object.keys(english).filter((key) => english[key] && !german[key])).toEqual([]);
  });

  it.each(["en", "de"])("are messages that can be read, in %s", (language) => {
    const all = Object.entries(language === "en" ? english : german);
    const broken = all.filter(([, message]) => {
      const values = Object.fromEntries(placeholders(message).map((name) => [name, 2]));
      return /[{}#]/.test(formatted(message, values, language));
    });
    expect(broken).toEqual([]);
  });

  it("give every text its values", () => {
    const wrong = calls.filter(({ key, made, values }) => !made && values && `${values}` !== `${placeholders(english[key] ?? "")}`);
    expect(wrong).toEqual([]);
  });

  it("have no text that nobody shows", () => {
    const beginnings = calls.filter(({ made }) => made).map(({ key }) => key);
    const unused = Object.keys(english).filter((key) => !words.has(key) && !beginnings.some((start) => key.startsWith(start)));
    expect(unused).toEqual([]);
  });
});
