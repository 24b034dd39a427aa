import { useEffect } from "react";
import { useCrumbs } from "./page-title.ts";

const key = "carrel.recent";
const most = 8;

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

/** Stores the records, drafts and requests opened last. */
export function useRecent(pathname: string) {
  const label = useCrumbs().at(-1)?.label;
  useEffect(() => {
    if (!label || !/^\/(records|uploads|me\/requests)\/[^/]+$/.test(pathname)) return;
    const others = recentPages().filter(({ path }) => path !== pathname);
    localStorage.setItem(key, JSON.stringify([{ path: pathname, label }, ...others].slice(0, most)));
  }, [pathname, label]);
}
