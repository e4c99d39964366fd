/** What a table is made of, to be read: its parts by path, and what people ask of them. */

import type { Game, Holder, HolderKind, Kind, Member, Part, Pools, Roll, Section, TablePart, Turns, Plea } from "../api/types.js";
import { t } from "../strings/words.js";

export class TableView extends EventTarget {
  readonly parts = new Map<string, Part>();
  game: Game | undefined;

  get about(): TablePart {
    return this.parts.get("table") as TablePart;
  }

  get you(): Member | null {
    return this.about?.you ?? null;
  }

  get isGm(): boolean {
    return this.you?.role === "gm";
  }

  /** Whether this seat may type the faces of real dice. */
  get mayType(): boolean {
    const who = this.about?.typed_dice;
    return who === "everybody" || (who === "gm" && this.isGm);
  }

  get plays(): boolean {
    return this.isGm || this.you?.role === "player";
  }

  get members(): Member[] {
    return this.under<Member>("members/").filter((member) => member.role !== "gone");
  }

  /** What players ask a GM to undo: all of it for GMs, else this seat's own. */
  get pleas(): Plea[] {
    return this.under<Plea>("pleas/");
  }

  get rolls(): Roll[] {
    return this.under<Roll>("rolls/");
  }

  get characters(): Holder[] {
    return this.under<Holder>("holders/").filter((holder) => holder.kind === "character");
  }

  /** Characters that players play, and those that are the GM's. */
  get party(): Holder[] {
    return this.characters.filter((holder) => this.isPlayers(holder));
  }

  get foes(): Holder[] {
    return this.characters.filter((holder) => !this.isPlayers(holder));
  }

  private isPlayers(holder: Holder): boolean {
    const owner = this.member(holder.owner);
    return owner !== undefined && owner.role !== "gm";
  }

  get gms(): Member[] {
    return this.members.filter((member) => member.role === "gm");
  }

  /** Whether the table's sheet has something that not everybody sees. */
  get hasSecrets(): boolean {
    const sheet = this.holder("table")?.sheet ?? {};
    return Object.values(sheet).some((items) => Object.values(items).some((item) => item.seen && item.seen !== "all"));
  }

  get ownCharacters(): Holder[] {
    return this.characters.filter((holder) => holder.owner === this.you?.id);
  }

  holder(id: string): Holder | undefined {
    return this.parts.get(`holders/${id}`) as Holder | undefined;
  }

  roll(id: string): Roll | undefined {
    return this.parts.get(`rolls/${id}`) as Roll | undefined;
  }

  member(id: string): Member | undefined {
    return this.parts.get(`members/${id}`) as Member | undefined;
  }

  /** What was put into rolls of a character before, and what was saved. */
  pools(holder: string): Pools | undefined {
    return this.parts.get(`pools/${holder}`) as Pools | undefined;
  }

  get turns(): Turns | undefined {
    return this.parts.get("turns") as Turns | undefined;
  }

  kind(name: string): Kind | undefined {
    return this.game?.kinds.find((kind) => kind.name === name) ?? this.game?.kinds[0];
  }

  /** The kind of roll that a tap on a sheet opens. */
  get usualKind(): Kind | undefined {
    return this.game?.kinds.find((kind) => kind.usual) ?? this.game?.kinds[0];
  }

  sections(kind: HolderKind): Section[] {
    return this.game?.sheets[kind] ?? [];
  }

  /** The name of a holder or a member. */
  nameOf(id: string): string {
    return this.holder(id)?.name || this.member(id)?.name || t("somebody");
  }

  under<T>(prefix: string): T[] {
    return [...this.parts].filter(([path]) => path.startsWith(prefix)).map(([, part]) => part as T);
  }
}
