import type { Request } from "express";
import type { ReadOptions } from "../records/record.service.ts";

/** `?include_deleted=1` of administrators (records 4.7). */
export const readOptions = (req: Request): ReadOptions => ({ includesDeleted: req.query.include_deleted === "1" });
