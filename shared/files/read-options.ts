import type { ReadOptions } from "../records/record.service.ts";

/** Administrators read the files of deleted records directly (records 4.7). */
export const readOptions: ReadOptions = { includesDeleted: true };
