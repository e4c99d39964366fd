/** The server's time by this device's clock, from questions and answers over the socket. */

/** How many answers are remembered: clocks drift, and a device may be set anew. */
const MOST_ANSWERS = 8;

interface Answer {
  /** How long the question and its answer took. */
  way: number;
  /** How far this device's clock is ahead, if both took the same way. */
  ahead: number;
}

export class ServerTime {
  private answers: Answer[] = [];
  private askedAt: number | undefined;

  /** Whether a question waits for its answer. */
  get asking(): boolean {
    return this.askedAt !== undefined;
  }

  asked(): void {
    this.askedAt = Date.now();
  }

  told(at: number): void {
    const { askedAt } = this;
    if (askedAt === undefined) return;
    const way = Date.now() - askedAt;
    this.askedAt = undefined;
    if (way < 0) return; // this device's clock was set back in between
    this.answers = [...this.answers.slice(1 - MOST_ANSWERS), { way, ahead: askedAt + way / 2 - at }];
  }

  /** The connection is a new one: what was on its way is lost. */
  forget(): void {
    this.askedAt = undefined;
  }

  /** How far this device's clock is ahead of the server's: what the quickest answer says. */
  get ahead(): number | undefined {
    const [first, ...others] = this.answers;
    return first && others.reduce((best, answer) => (answer.way < best.way ? answer : best), first).ahead;
  }
}
