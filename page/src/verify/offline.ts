/** verify.html: checks an exported table, a story or a copied roll in one file, with no server and no network. */

import { check as de } from "../strings/de/check.js";
import { check as en } from "../strings/en/check.js";
import { codeOf, type Head } from "./chain.js";
import { checkFile, type FileCheck } from "./file.js";
import { checkStory } from "./story.js";
import { follows, ticketOf, type Faces, type Proof } from "./throw.js";

const german = navigator.language.startsWith("de");
const say = (key: keyof typeof en): string => (german ? de[key] : undefined) ?? en[key];

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = "", cls = ""): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), { textContent: text, className: cls });
}

const file = Object.assign(element("input"), { type: "file", accept: ".jsonl,.txt,.json,.md" });
const kept = Object.assign(element("input"), { type: "text", spellcheck: false });
const paste = Object.assign(element("textarea"), { rows: 4, spellcheck: false });
const button = element("button", say("offline.check"));
const out = Object.assign(element("section"), { ariaLive: "polite" });

function labelled(text: string, field: HTMLElement): HTMLElement {
  const label = element("label", text);
  label.append(field);
  return label;
}

document.documentElement.lang = german ? "de" : "en";
document.title = say("offline.title");
document.body.append(
  element("h1", say("offline.title")),
  element("p", say("offline.help")),
  labelled(say("offline.file"), file),
  labelled(say("offline.head"), kept),
  labelled(say("offline.paste"), paste),
  button,
  out,
);

button.addEventListener("click", () => void run());

async function run(): Promise<void> {
  const [chosen] = file.files ?? [];
  const bytes = chosen ? new Uint8Array(await chosen.arrayBuffer()) : undefined;
  const found = bytes && ((await checkFile(bytes, keptHead())) ?? (await checkStory(bytes)));
  const roll = chosen ? undefined : rollOf(paste.value);
  if (found) out.replaceChildren(...told(found));
  else if (roll) out.replaceChildren(...toldRoll(roll));
  else out.replaceChildren(element("p", say("offline.noTable"), "bad"));
}

function keptHead(): Head | undefined {
  const found = /^\s*(\d+):([0-9a-f]{64})\s*$/.exec(kept.value.toLowerCase());
  return found ? { n: Number(found[1]), head: found[2] ?? "" } : undefined;
}

interface Roll {
  faces: Faces;
  proof: Proof;
}

function rollOf(text: string): Roll | undefined {
  try {
    const roll = JSON.parse(text) as Roll;
    return Array.isArray(roll.faces) && Array.isArray(roll.proof) && roll.proof.length === 6 ? roll : undefined;
  } catch {
    return undefined;
  }
}

function toldRoll({ faces, proof }: Roll): HTMLElement[] {
  const good = follows(faces, proof);
  const verdict = good ? (proof[0] ? "check.good" : "check.noNonce") : "check.bad";
  const ticket = element("p", `ticket ${ticketOf(proof[1])}`, "number");
  return [element("p", say(verdict), good ? (proof[0] ? "good" : "unsure") : "bad"), ticket];
}

/** How many throws of a sort there were, if any. */
const counted = ([n, sort]: readonly [number, Parameters<typeof say>[0]]): string => (n ? `${n} ${say(sort)}` : "");

function told({ log, title, entries, key }: FileCheck): HTMLElement[] {
  const wrong = log.wrong.map(({ entry, what }) => element("li", `${entry ? `${entry}: ` : ""}${say(`wrong.${what}`)}`, "bad"));
  const notes = log.notes.map(({ entry, what }) => element("li", `${entry ? `${entry}: ` : ""}${say(`note.${what}`)}`));
  const list = element("ul");
  const unproven = log.open.map(({ entry, what }) => element("li", `${entry ? `${entry}: ` : ""}${say(`open.${what}`)}`, "unsure"));
  if (log.throws.restored) unproven.push(element("li", say("open.across"), "unsure"));
  list.append(...wrong, ...unproven, ...notes);
  const { checked, restored, again, typed, unproven: bare } = log.throws;
  const verdict = { right: "offline.right", wrong: "check.bad", unproven: "offline.notProven" } as const;
  const look = { right: "good", wrong: "bad", unproven: "unsure" }[log.outcome];
  const open = log.chains.get("") ?? { n: 0, head: "" };
  return [
    element("h2", entries ? `${title} (${entries})` : title),
    element("p", say(verdict[log.outcome]), look),
    list,
    element(
      "p",
      (
        [
          [checked, "offline.checked"],
          [restored, "offline.restored"],
          [again, "offline.again"],
          [typed, "offline.typed"],
          [bare, "offline.unproven"],
          [log.books.restores, "offline.restores"],
        ] as const
      )
        .map(counted)
        .filter(Boolean)
        .join(" · "),
    ),
    ...(open.n
      ? [element("p", `${open.n}: ${codeOf(open.head, german ? "de" : "en")}`, "words"), element("p", `${open.n}:${open.head}`, "number")]
      : []),
    element("p", key, "number"),
  ];
}
