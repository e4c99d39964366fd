/** A press is as long as its events say: on a busy device they are handled late, and a short tap stays one. */

import { nothing } from "lit";
import { beforeEach, expect, test, vi } from "vitest";
import { tapItem } from "../../src/sheet/tap-item.js";

const more = vi.fn();
const less = vi.fn();
type Handler = (event: Event) => void;
const item = tapItem({ name: "Agility", look: "tile", worth: nothing, times: 1, most: 3, free: true, more, less });
const [click, down, up, away] = item.values.filter((value) => typeof value === "function") as [Handler, Handler, Handler, Handler];

beforeEach(() => vi.clearAllMocks());

/** An event that happened then, whenever it is handled. */
function at(timeStamp: number): Event {
  return Object.defineProperty(new Event("any"), "timeStamp", { value: timeStamp });
}

test("a short tap puts something in", () => {
  down(at(1000));
  up(at(1090));
  click(at(1090));
  expect([more.mock.calls.length, less.mock.calls.length]).toEqual([1, 0]);
});

test("a long press takes one out, and its click does nothing more", () => {
  down(at(1000));
  up(at(1600));
  click(at(1600));
  expect([more.mock.calls.length, less.mock.calls.length]).toEqual([0, 1]);
  click(at(9000)); // by the keyboard
  expect(more.mock.calls.length).toBe(1);
});

test("a finger that slides away takes nothing out", () => {
  down(at(1000));
  away(at(1700));
  up(at(1800));
  expect(less).not.toHaveBeenCalled();
});
