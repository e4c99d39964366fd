/** Kept dice: each fell so in an entry that is undone, and none of them fell anew. The command line does the same. */

import type { LogEvent } from "./log-check.js";
import { type Faces, parsePool } from "./throw.js";

/** A die of a throw: its group, its wave, its place there. */
export type Place = readonly [group: number, wave: number, place: number];

interface Fallen {
  at: string;
  /** Whose die it is, which one, and in which wave. */
  die: string;
  face: number;
}

interface FellAt {
  entry: string;
  face: number;
  only: string;
}

/** Every die of a throw, with what tells it from others. */
export function fallen(event: LogEvent): Fallen[] {
  return (event.faces ?? []).flatMap((waves, group) =>
    waves.flatMap((faces, wave) =>
      faces.map((face, place) => {
        const root = event.roots?.length ? event.roots[group]?.[wave]?.[place] : place;
        return { at: `${[group, wave, place]}`, die: `${event.slots?.[group]}/${wave} ${root}`, face };
      }),
    ),
  );
}

/** The faces that fell anew: all of them, or wave by wave those that were not kept. */
export function newFaces(event: LogEvent): Faces {
  const faces = event.faces ?? [];
  const kept = sources(event);
  if (!kept.size) return faces;
  return faces.flatMap((waves, group) =>
    waves.flatMap((fell, wave) => {
      const fresh = fell.filter((_, place) => !kept.has(`${[group, wave, place]}`));
      return fresh.length ? [[fresh]] : [];
    }),
  );
}

/** The entry that each kept die came from, by the die's place. */
const sources = (event: LogEvent) =>
  new Map(Object.entries(event.kept ?? {}).flatMap(([entry, places]) => places.map((place) => [`${place}`, entry] as const)));

export class Reuse {
  private readonly thrown = new Map<string, { entry: string; event: LogEvent }[]>();

  constructor(private readonly struck: ReadonlySet<string>) {}

  /** Take in a throw, or a correction of typed dice. */
  add(entry: string, event: LogEvent): void {
    const about = nameOf(event);
    const before = event.fresh ? [] : (this.thrown.get(about) ?? []);
    this.thrown.set(about, [...before, { entry, event }]);
  }

  /** What is wrong with the dice of a throw that were kept, or should have been. */
  wrong(event: LogEvent): ("neverFell" | "keptThrown")[] {
    const undone = event.fresh ? new Map<string, FellAt[]>() : this.undone(event);
    const kept = sources(event);
    const found = fallen(event).flatMap(({ at, die, face }) => {
      const fell = undone.get(die) ?? [];
      const source = kept.get(at);
      kept.delete(at);
      if (source !== undefined) return fell.some((one) => one.entry === source && one.face === face) ? [] : (["neverFell"] as const);
      const seen = fell.filter((one) => !one.only || one.only === event.only || event.only === "gm");
      return seen.every((one) => wasDrawn(event, die, one.face)) ? [] : (["keptThrown"] as const);
    });
    return kept.size ? [...found, "neverFell"] : found;
  }

  /** Where each die fell in throws that are undone; of a move, since it was last made. */
  private undone(event: LogEvent): Map<string, FellAt[]> {
    const found = new Map<string, FellAt[]>();
    for (const { entry, event: before } of this.thrown.get(nameOf(event)) ?? []) {
      if (before.event === "Corrected") corrected(found, before);
      else if (!this.struck.has(entry)) {
        if (!event.roll) found.clear();
      } else {
        const kept = sources(before);
        for (const { at, die, face } of fallen(before))
          found.set(die, [...(found.get(die) ?? []), { entry: kept.get(at) ?? entry, face, only: before.only ?? "" }]);
      }
    }
    return found;
  }
}

/** Whether it is a card that somebody else has drawn since, so that none is left of it; typed ones may be. */
function wasDrawn(event: LogEvent, die: string, face: number): boolean {
  const [, sides, , ...name] = die.slice(0, die.lastIndexOf("/", die.lastIndexOf("/") - 1)).split("|");
  if (!event.cards?.includes(name.join("|")) || !event.proof) return event.cards?.includes(name.join("|")) ?? false;
  const decks = parsePool(event.proof[4])?.flatMap((part) => (part.left?.length === Number(sides) ? [part.left] : []));
  return decks?.some((left) => left[face - 1] === 0) ?? false;
}

/** The roll, or the move and whose it is. */
const nameOf = (event: LogEvent) => event.roll ?? `${event.move}/${event.by}`;

function corrected(found: Map<string, FellAt[]>, event: LogEvent): void {
  for (const [line, root, , , now] of event.dice ?? []) {
    const fell = found.get(`${line} ${root}`) ?? [];
    found.set(`${line} ${root}`, [...fell, ...fell.map((one) => ({ ...one, face: now as number }))]);
  }
}
