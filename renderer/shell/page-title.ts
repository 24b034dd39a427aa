import { useEffect, useSyncExternalStore } from "react";

export interface Crumb {
  label: string;
  /** Address within the app; the last crumb has none. */
  to?: string;
}

let crumbs: Crumb[] = [];
const listeners = new Set<() => void>();

function setCrumbs(next: Crumb[]) {
  crumbs = next;
  document.title = next.length ? `${next.at(-1)?.label} · Carrel` : "Carrel";
  for (const listener of listeners) listener();
}

/** Sets the title of top bar and window. Call it once per page. */
export function usePageTitle(...path: Crumb[]) {
  const key = JSON.stringify(path);
  useEffect(() => setCrumbs(JSON.parse(key) as Crumb[]), [key]);
}

export const useCrumbs = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => crumbs,
  );
