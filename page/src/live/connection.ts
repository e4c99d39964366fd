/** The live line to the table: it comes back by itself, sooner when somebody looks at the page. */

import { livePath } from "../api/client.js";
import type { Frame } from "../api/types.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** The server pings more often than this; a line that was silent for longer is dead, as after a phone's sleep. */
const SILENCE = 45_000;

export type LineState = "connecting" | "open" | "lost" | "closed";

export class Live {
  private socket: WebSocket | undefined;
  private timer = 0;
  private wait = FIRST_WAIT;
  private heard = 0;
  private done = false;

  constructor(
    private readonly table: string,
    private readonly since: () => number | null,
    private readonly onFrame: (frame: Frame) => void,
    private readonly onState: (state: LineState) => void,
    /** Asked after a line failed: whether there is still a seat to come back to. */
    private readonly mayReturn: () => Promise<boolean>,
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

  /** Somebody looks at the page again: a line that looks open may have died in its sleep. */
  private awake = (): void => {
    if (this.done || document.hidden) return;
    const open = this.socket?.readyState === WebSocket.OPEN;
    if (open && Date.now() - this.heard < SILENCE) return;
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    this.wait = FIRST_WAIT;
    this.connect();
  };

  private connect(): void {
    clearTimeout(this.timer);
    this.drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${livePath(this.table, this.since())}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.heard = Date.now();
      this.onState("open");
      this.watch();
    };
    socket.onmessage = (event: MessageEvent<string>) => this.hear(socket, JSON.parse(event.data) as Frame);
    socket.onclose = () => socket === this.socket && void this.lost();
  }

  private hear(socket: WebSocket, frame: Frame): void {
    this.heard = Date.now();
    if (frame.type === "ping") socket.send('{"type":"pong"}');
    else this.onFrame(frame);
  }

  /** A line can die without a word. */
  private watch(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (Date.now() - this.heard >= SILENCE && !document.hidden) this.connect();
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
    // A little chance in the wait, so that a whole group does not come back in the same instant.
    this.timer = window.setTimeout(() => this.connect(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  private drop(): void {
    const old = this.socket;
    this.socket = undefined;
    old?.close();
  }
}
