/** What the GM has asked for. */

import type { RollRequest } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";

export const requestsOf = (table: TableStore): RollRequest[] => table.under<RollRequest>("requests/");

/** The request that this seat has still to answer. */
export const askedOfMe = (table: TableStore): RollRequest | undefined => requestsOf(table).find((request) => request.yours);
