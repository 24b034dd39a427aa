import type { Db } from "../../shared/database/open.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";

/** What commands need to know of the running server. */
export interface ServerAddress {
  baseUrl: string;
  sendsMail: boolean;
}

const name = "server.address";

export const writeServerAddress = (db: Db, address: ServerAddress) => storeSetting(db, name, JSON.stringify(address));

/** Undefined if the server has never run. */
export async function readServerAddress(db: Db): Promise<ServerAddress | undefined> {
  const stored = await findSetting(db, name);
  return stored === undefined ? undefined : JSON.parse(stored);
}
