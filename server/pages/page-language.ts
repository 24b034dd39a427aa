import type { Request } from "express";

/** The language of a page. */
export const pageLanguage = (_req: Request): string => "en";
