import { expect, test } from "vitest";
import { Refused, sentence } from "../../src/api/client.js";

test("an error of the server ends with the code that the operator's log has", () => {
  const error = new Refused(503, "The tables cannot be stored just now.", "unavailable", "", undefined, "7F3K9Q2M");
  expect(sentence(error)).toBe("The tables cannot be stored just now. If this goes on, tell whoever runs the server: code 7F3K9Q2M");
});

test("a refusal of the rules has no code, since nobody can look it up any better", () => {
  const refusal = new Refused(422, "You have no IP left.", "illegal", "NJ-13", undefined, "7F3K9Q2M");
  expect(sentence(refusal)).toBe("You have no IP left. (NJ-13)");
});

test("a proxy that answers for a server without a code is quoted as it is", () => {
  expect(sentence(new Refused(502, "Bad Gateway"))).toBe("Bad Gateway");
});
