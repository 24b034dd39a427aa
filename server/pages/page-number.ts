import type { Request } from "express";

/** The page of a list that the address names; the first page for anything else. */
export function pageNumber({ query }: Request): number {
  const number = Number(query.page);
  return Number.isInteger(number) && number > 0 && number < 1_000_000 ? number : 1;
}
