/** Questions to the server, each asked once: equal questions have equal odds. */
import { Refused } from "../api/client.js";
import type { Odds, Question } from "./question.js";
import { labWords as words } from "../strings/lab.js";

const REMEMBERED = 300;
const answers = new Map<string, Promise<Odds>>();

export function askOdds(question: Question, upTo: string): Promise<Odds> {
  const body = JSON.stringify({
    game: question.game,
    roll: question.roll,
    inputs: question.given,
    ...(question.policy !== "never" ? { policy: question.policy, ...(question.wish ? { wish: question.wish } : {}) } : {}),
    ...(upTo ? { up_to: Number(upTo) } : {}),
  });
  const known = answers.get(body);
  if (known) return known;
  const answer = post(body);
  answers.set(body, answer);
  // A refusal stands as long as the rules do; a server that was away may be back.
  answer.catch((error: unknown) => {
    if (!(error instanceof Refused) || error.status >= 429) answers.delete(body);
  });
  if (answers.size > REMEMBERED) answers.delete(answers.keys().next().value ?? "");
  return answer;
}

async function post(body: string): Promise<Odds> {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const answer = await fetch("/api/odds", { method: "POST", credentials: "same-origin", headers, body });
  if (answer.ok) return (await answer.json()) as Odds;
  const problem = (await answer.json().catch(() => ({}))) as Partial<Record<"detail" | "title" | "kind" | "rule", string>>;
  throw new Refused(answer.status, problem.detail ?? problem.title ?? words.noAnswer, problem.kind, problem.rule);
}

/** What went wrong, as a sentence. */
export function sentence(error: unknown): string {
  return error instanceof Refused ? error.message : words.noAnswer;
}
