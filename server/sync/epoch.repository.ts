import type { Db } from "../../shared/database/open.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";

const name = "database_epoch";

/** Epoch of a database that was never restored. */
export const firstEpoch = "first";

/** The epoch of this database. Restoring a backup starts a new one. */
export const readEpoch = async (db: Db): Promise<string> => (await findSetting(db, name)) ?? firstEpoch;

/** Starts a new epoch. */
export const writeEpoch = (db: Db, epoch: string) => storeSetting(db, name, epoch);
