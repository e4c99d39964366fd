/** The WebSocket to the table. It reconnects by itself, at once when somebody looks at the page again. */

import { livePath, type Known } from "../api/client.js";
import type { Frame } from "../api/types.js";
import { ServerTime } from "./server-time.js";

/** Milliseconds before the first try to reconnect; doubled after each. */
const FIRST_WAIT = 500;
/** The longest wait in the first minutes, so that everybody is back within 5 seconds of the server; and after them. */
const LONGEST_WAIT = 3_000;
const PATIENT_WAIT = 15_000;
const PATIENT_AFTER = 60;
/** The server pings more often than this, so a connection that was silent for longer is dead, as after a phone's sleep. */
const SILENCE = 45_000;
/** How often the server's time is asked for after a connection has opened, and after how many milliseconds each. */
const FIRST_QUESTIONS = 5;
const QUESTION_MS = 250;

/** Milliseconds before the next try, after so many that failed; without the random part. */
export function waitAfter(tries: number): number {
  return Math.min(tries < PATIENT_AFTER ? LONGEST_WAIT : PATIENT_WAIT, FIRST_WAIT * 2 ** Math.min(tries, 10));
}

export type ConnectionState = "connecting" | "open" | "lost" | "closed";

/** Delivers frames in order, from the version that the table has. */
export class Connection {
  private socket: WebSocket | undefined;
  private timer = 0;
  private tries = 0;
  private lastFrame = 0;
  private done = false;
  readonly time = new ServerTime();

  constructor(
    private readonly table: string,
    private readonly known: () => Known | null,
    private readonly onFrame: (frame: Frame) => void,
    private readonly onState: (state: ConnectionState) => void,
    /** Called after the connection was lost: whether this browser still has a seat. */
    private readonly mayReturn: () => Promise<boolean>,
    private readonly screen = false,
  ) {}

  start(): void {
    document.addEventListener("visibilitychange", this.awake);
    window.addEventListener("online", this.awake);
    window.addEventListener("pageshow", this.awake);
    this.connect();
  }

  stop(): void {
    this.done = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.awake);
    window.removeEventListener("online", this.awake);
    window.removeEventListener("pageshow", this.awake);
    this.socket?.close();
  }

  /** Somebody looks at the page again: a socket that seems open may have died while the device slept. */
  private awake = (): void => {
    if (this.done || document.hidden) return;
    const open = this.socket?.readyState === WebSocket.OPEN;
    if (open && Date.now() - this.lastFrame < SILENCE) return;
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    this.tries = 0;
    this.connect();
  };

  private connect(): void {
    clearTimeout(this.timer);
    this.drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${livePath(this.table, this.known(), this.screen)}`);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.lastFrame = Date.now();
      this.onState("open");
      this.watch();
      this.time.forget();
      this.askTime(socket, FIRST_QUESTIONS);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.receive(socket, JSON.parse(event.data) as Frame);
    socket.onclose = () => socket === this.socket && void this.lost();
  }

  private receive(socket: WebSocket, frame: Frame): void {
    this.lastFrame = Date.now();
    if (frame.type === "now") this.time.told(frame.at);
    else if (frame.type !== "ping") this.onFrame(frame);
    else {
      socket.send('{"type":"pong"}');
      this.askTime(socket, 1);
    }
  }

  /** Ask what time it is at the server, as often as this, with pauses. */
  private askTime(socket: WebSocket, times: number): void {
    if (!times || socket !== this.socket || socket.readyState !== WebSocket.OPEN) return;
    if (!this.time.asking) {
      this.time.asked();
      socket.send('{"type":"when"}');
    }
    window.setTimeout(() => this.askTime(socket, times - 1), QUESTION_MS);
  }

  /** A connection can die without a close event. */
  private watch(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (Date.now() - this.lastFrame >= SILENCE && !document.hidden) this.connect();
      else this.watch();
    }, SILENCE / 3);
  }

  private async lost(): Promise<void> {
    if (this.done) return;
    clearTimeout(this.timer);
    this.onState("lost");
    if (!(await this.mayReturn())) {
      this.stop();
      this.onState("closed");
      return;
    }
    // A random part in the wait, so that a whole group does not reconnect in the same instant.
    this.timer = window.setTimeout(() => this.connect(), waitAfter(this.tries) * (0.7 + Math.random() * 0.6));
    this.tries += 1;
  }

  private drop(): void {
    const old = this.socket;
    this.socket = undefined;
    old?.close();
  }
}
