/**
 * What this seat is putting together. The roll itself is the server's: a tap opens it or puts something into it, and
 * everybody sees it grow. Taps are drawn at once, before the server has answered; without a connection they stay.
 */

import type { Done, Holder, Offer, Roll, RollRequest } from "../api/types.js";
import { t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import { typesDice } from "../ui/preferences.js";
import type { TableStore } from "./table-store.js";

const PATIENCE_MS = 5000;

/** How a roll is opened. */
export interface Opening {
  who: string;
  kind?: string;
  seen?: Roll["seen"];
  against?: string;
  use?: Record<string, number>;
  inputs?: Record<string, unknown>;
  hide?: string[];
  again?: boolean;
  pool?: string;
  request?: string;
  name?: string;
}

export class Tray {
  /** Taps that the server has not taken yet: how often each offer is in. */
  private readonly wanted = new Map<string, number>();
  private opening: Promise<Roll | undefined> | undefined;
  /** Rolls that were put away here. */
  readonly left = new Set<string>();
  /** Inputs that somebody here has set, by roll. */
  private readonly said = new Set<string>();

  constructor(private readonly table: TableStore) {}

  /** The roll that this seat gathers dice for. */
  get roll(): Roll | undefined {
    return this.table.rolls.findLast((roll) => isGathering(roll) && roll.yours === true && this.isMine(roll));
  }

  /** Whether a roll is this seat's to make, not only within its rights. */
  isMine(roll: Roll): boolean {
    const you = this.table.you?.id;
    const owner = this.table.holder(roll.who)?.owner;
    const played = owner ? this.table.member(owner) : undefined;
    return played ? owner === you : roll.by === you || (this.table.isGm && !roll.by);
  }

  /** The open roll into which something of this holder may be put from this seat. */
  rollWith(holder: Holder): Roll | undefined {
    const fits = (roll: Roll | undefined) =>
      roll && isGathering(roll) && roll.offers?.some((offer) => offer.yours && offer.id.startsWith(`${holder.id}/`));
    const shown = this.table.stage.roll;
    if (fits(shown)) return shown;
    return this.table.rolls.findLast((roll) => fits(roll));
  }

  /** How often an offer is in a roll, as this seat has tapped it. */
  times(roll: Roll | undefined, id: string): number {
    return this.wanted.get(id) ?? roll?.use?.[id] ?? 0;
  }

  get waiting(): boolean {
    return this.wanted.size > 0;
  }

  /** Tap something on a sheet: once more into the roll, and out of it after the most. */
  async tap(holder: Holder, place: string, by: 1 | -1 = 1): Promise<void> {
    const roll = this.rollWith(holder) ?? (await this.begin(this.wantedOf(holder)));
    const offer = roll && ownOffer(roll, holder.id, place);
    if (!roll) return;
    if (!offer) showError(t("nothingToGive", { name: place.split("/").at(-1) ?? "" }));
    else this.step(roll, offer, by);
  }

  /** The roll that a tap on a sheet opens: the one that the GM asks for, else the usual one. */
  wantedOf(holder: Holder): Opening {
    const asked = (request: RollRequest) => request.asked.some((row) => row.who === holder.id && row.yours && row.state === "waiting");
    const request = this.table.under<RollRequest>("requests/").find(asked);
    return request ? { who: holder.id, kind: request.kind, request: request.id } : { who: holder.id };
  }

  step(roll: Roll, offer: Offer, by: 1 | -1): void {
    const now = this.times(roll, offer.id);
    const next = by > 0 ? (now >= Math.max(1, offer.most) ? 0 : now + 1) : Math.max(0, now - 1);
    void this.put(roll, offer.id, next);
  }

  async put(roll: Roll, id: string, times: number): Promise<void> {
    this.wanted.set(id, times);
    this.table.changed();
    if (this.table.online) await this.send(roll);
  }

  /** Send what was tapped; what is refused is not in. */
  private async send(roll: Roll): Promise<void> {
    const use = Object.fromEntries(this.wanted);
    if (!this.wanted.size) return;
    const done = await this.table.act({ do: "build", roll: roll.id, use });
    if (done)
      await this.until(() =>
        Object.entries(use).every(([id, n]) => (this.table.roll(roll.id)?.use?.[id] ?? 0) === n || !isGathering(this.table.roll(roll.id))),
      );
    for (const [id, n] of Object.entries(use)) if (this.wanted.get(id) === n) this.wanted.delete(id);
    this.table.changed();
  }

  set(roll: Roll, inputs: Record<string, unknown>, more: { hide?: string[] } = {}): Promise<Done | undefined> {
    for (const name of Object.keys(inputs)) this.said.add(`${roll.id} ${name}`);
    return this.table.act({ do: "build", roll: roll.id, inputs, ...more });
  }

  /** Open a roll and wait until it is there; a second tap meanwhile joins the first. */
  begin(opening: Opening): Promise<Roll | undefined> {
    this.opening ??= this.open(opening).finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async open(opening: Opening): Promise<Roll | undefined> {
    if (!this.table.online) {
      showError(t("noConnection"));
      return undefined;
    }
    const kind = opening.kind ?? this.table.usualKind?.name ?? "";
    // The roll that lay in the tray makes room.
    const before = this.roll;
    if (before) await this.withdraw(before);
    const done = await this.table.act({ do: "open", ...opening, kind, inputs: { ...this.usual(opening, kind), ...opening.inputs } });
    const id = done?.entry?.lines.find((line) => line.roll)?.roll ?? done?.entry?.lines.find((line) => line.kind === "open")?.roll;
    if (!id) return undefined;
    this.table.stage.show(id);
    await this.until(() => this.table.roll(id) !== undefined);
    return this.table.roll(id);
  }

  /** How hard it was the last time is how hard it is until somebody says otherwise; the tray says so. */
  private usual(opening: Opening, name: string): Record<string, unknown> {
    if (opening.again || opening.pool || opening.request) return {};
    const target = this.table.game?.kinds.find((kind) => kind.name === name)?.target;
    const before = target ? this.table.pools(opening.who)?.last[name]?.inputs[target] : undefined;
    return target && before !== undefined ? { [target]: before } : {};
  }

  /** Whether an input of a roll is only what it was the last time, and nobody has said that it is so now. */
  isAsLastTime(roll: Roll, input: string): boolean {
    const now = roll.inputs?.[input];
    const before = this.table.pools(roll.who)?.last[roll.kind]?.inputs[input];
    const said = roll.locked?.includes(input) || this.said.has(`${roll.id} ${input}`);
    return !said && before !== undefined && String(now) === String(before);
  }

  /** Open the same roll once more in another way: of another kind, or before other eyes. */
  async instead(roll: Roll, change: Partial<Opening>): Promise<Roll | undefined> {
    const sameKind = !change.kind || change.kind === roll.kind;
    const kept = sameKind ? { use: { ...roll.use }, inputs: { ...roll.inputs } } : {};
    await this.withdraw(roll);
    return this.begin({ who: roll.who, kind: roll.kind, seen: roll.seen, against: roll.against, ...kept, ...change });
  }

  /** Throw the dice: the server's, or the faces of real ones. */
  async throw(roll: Roll, faces = ""): Promise<boolean> {
    if (this.wanted.size) await this.send(roll);
    const done = await this.table.act({ do: "throw", roll: roll.id, ...(faces ? { faces } : {}) });
    // No news come of a blind roll, so ask whether it was thrown.
    if (done && roll.seen === "blind") await this.table.refresh();
    return done !== undefined;
  }

  async withdraw(roll: Roll): Promise<Done | undefined> {
    this.wanted.clear();
    this.left.add(roll.id);
    const done = await this.table.act({ do: "withdraw", roll: roll.id });
    // Should the withdrawal be undone, the roll is there again.
    if (done) await this.until(() => !this.table.roll(roll.id));
    this.left.delete(roll.id);
    return done;
  }

  /** Whether this seat types the faces of real dice. */
  get types(): boolean {
    return this.table.mayType && typesDice();
  }

  /** The same for one roll: where part of it is hidden, the machine throws (T-3). */
  typesFor(roll: Roll): boolean {
    return this.types && roll.typed !== false;
  }

  /** Wait until the table says so; if that takes long, ask how it is. */
  until(there: () => boolean): Promise<void> {
    if (there()) return Promise.resolve();
    return new Promise((done) => {
      const stop = () => {
        clearTimeout(timer);
        this.table.removeEventListener("change", look);
        done();
      };
      const look = () => there() && stop();
      const timer = setTimeout(() => void this.table.refresh().then(stop), PATIENCE_MS);
      this.table.addEventListener("change", look);
    });
  }
}

export const isGathering = (roll: Roll | undefined): boolean =>
  roll !== undefined && !roll.thrown && !roll.over && !roll.blind && roll.offers !== undefined;

/** Whether nobody has said yet how hard a roll is. */
export function lacksTarget(table: TableStore, roll: Roll): boolean {
  const target = table.kind(roll.kind)?.target;
  return Boolean(target) && (roll.inputs?.[target ?? ""] ?? roll.ask?.[target ?? ""] ?? null) === null;
}

/** The offers that something on a sheet makes: itself, and what else it may be used as. */
export function offersAt(roll: Roll, id: string): Offer[] {
  return (roll.offers ?? []).filter((offer) => offer.id === id || offer.id.startsWith(`${id}!`));
}

/** What a holder itself gives with something on its sheet; others may use the same thing against it. */
export function ownOffer(roll: Roll, holder: string, place: string): Offer | undefined {
  const found = offersAt(roll, `${holder}/${place}`);
  const yours = found.filter((offer) => offer.yours);
  const all = yours.length ? yours : found;
  return all.find((offer) => offer.by === holder) ?? all.find((offer) => !offer.by) ?? all[0];
}
