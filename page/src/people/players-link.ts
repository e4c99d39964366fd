/** The link by which players join: apart from the panel, so that an empty table loads no more than it shows. */

import { links, makeLink } from "../api/client.js";

/** The address of the players’ link; a table without one gets it here. */
export async function playersLink(table: string): Promise<string> {
  const known = (await links(table)).find((link) => link.role === "player" && !link.member);
  return new URL((known ?? (await makeLink(table, { role: "player" }))).path, location.origin).href;
}
