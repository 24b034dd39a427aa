import { isAtLeast, type Level } from "../access/level.policy.ts";
import type { StoredAccess } from "../access/stored-access.schema.ts";

/** Who may read a published record (records 2). */
export const mayReadRecord = (access: StoredAccess, level: Level): boolean =>
  access.record === "public" || isAtLeast(level, "view");

/** Who may read the files of a published record (records 2, 7.1). */
export const mayReadFiles = (access: StoredAccess, level: Level): boolean =>
  (access.record === "public" && access.files === "public") || isAtLeast(level, "view");
