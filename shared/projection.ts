import type { Tx } from "./database/open.ts";
import type { ObjectRef } from "./kernel/host.ts";

/** Brings everything derived from an object up to date, in the transaction that changed it. */
export async function project(_tx: Tx, _touched: ObjectRef[]): Promise<void> {}
