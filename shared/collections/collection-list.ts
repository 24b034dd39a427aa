import type { Db } from "../database/open.ts";
import type { Settings } from "../settings/settings.schema.ts";
import { allCollections, type Collection } from "./collection.policy.ts";
import { listCollectionRows } from "./collection.repository.ts";

/** All collections of a server. */
export const listCollections = async (db: Db, settings: Pick<Settings, "collections">): Promise<Collection[]> =>
  allCollections(settings, await listCollectionRows(db));
