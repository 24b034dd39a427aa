import { useEffect } from "react";
import { useCrumbs } from "./page-title.ts";

const key = "carrel.recent";
const maxRecent = 8;

export interface RecentPage {
  path: string;
  label: string;
}

export function recentPages(): RecentPage[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]") as RecentPage[];
  } catch {
    return [];
  }
}

/** Removes a page that no longer exists. */
export function forgetRecent(path: string) {
  const left = recentPages().filter((page) => page.path !== path);
  localStorage.setItem(key, JSON.stringify(left));
}

/** Stores the records, drafts and requests opened last. A page that could not be opened is below no place. */
export function useRecent(pathname: string) {
  const crumbs = useCrumbs();
  const label = crumbs.length > 1 ? crumbs.at(-1)?.label : undefined;
  useEffect(() => {
    if (!/^\/(records|uploads|me\/requests)\/[^/]+$/.test(pathname)) return;
    if (!label) return forgetRecent(pathname);
    const others = recentPages().filter(({ path }) => path !== pathname);
    localStorage.setItem(key, JSON.stringify([{ path: pathname, label }, ...others].slice(0, maxRecent)));
  }, [pathname, label]);
}
