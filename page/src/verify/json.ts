/** JSON as it is written: the parts of an object or a list, each as the text that stands there. Hashes are of texts. */

/** Where a value ends that begins at a place. */
function end(text: string, at: number): number {
  const first = text[at];
  if (first === '"') {
    let next = at + 1;
    while (next < text.length && text[next] !== '"') next += text[next] === "\\" ? 2 : 1;
    return next + 1;
  }
  if (first === "{" || first === "[") {
    let next = at + 1;
    while (next < text.length && text[next] !== "}" && text[next] !== "]") {
      next = text[next] === '"' || text[next] === "{" || text[next] === "[" ? end(text, next) : next + 1;
    }
    return next + 1;
  }
  let next = at;
  while (next < text.length && !",]}".includes(text[next] as string)) next++;
  return next;
}

/** The values of a list, as they are written. */
export function itemsOf(text: string): string[] {
  const found: string[] = [];
  for (let at = 1; at < text.length - 1; ) {
    const next = end(text, at);
    found.push(text.slice(at, next));
    at = next + 1;
  }
  return found;
}

/** The fields of an object: each with its value as it is written. */
export function fieldsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 1; at < text.length - 1; ) {
    const colon = end(text, at);
    const next = end(text, colon + 1);
    found.set(JSON.parse(text.slice(at, colon)) as string, text.slice(colon + 1, next));
    at = next + 1;
  }
  return found;
}

/** An object with these fields. */
export const written = (fields: Map<string, string>): string =>
  `{${[...fields].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
