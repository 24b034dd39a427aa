import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

const read = <T extends string>(key: string, fallback: T): T => (localStorage.getItem(key) as T | null) ?? fallback;
const listeners = new Set<() => void>();

/** Puts the chosen theme and density on the page; `system` follows the computer. */
export function applyAppearance() {
  const root = document.documentElement;
  const theme = read<Theme>("carrel.theme", "system");
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.density = read<Density>("carrel.density", "comfortable");
}

function choose(key: string, value: string) {
  localStorage.setItem(key, value);
  applyAppearance();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export function useAppearance() {
  const theme = useSyncExternalStore(subscribe, () => read<Theme>("carrel.theme", "system"));
  const density = useSyncExternalStore(subscribe, () => read<Density>("carrel.density", "comfortable"));
  return {
    theme,
    density,
    setTheme: (value: string) => choose("carrel.theme", value),
    setDensity: (value: string) => choose("carrel.density", value),
  };
}
