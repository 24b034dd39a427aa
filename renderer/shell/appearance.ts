import { storedChoice } from "./stored-choice.ts";

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

const theme = storedChoice<Theme>("carrel.theme", "system", applyAppearance);
const density = storedChoice<Density>("carrel.density", "comfortable", applyAppearance);

/** Applies theme and density; `system` follows the computer. */
export function applyAppearance() {
  const root = document.documentElement;
  if (theme.read() === "system") delete root.dataset.theme;
  else root.dataset.theme = theme.read();
  root.dataset.density = density.read();
}

export function useAppearance() {
  return { theme: theme.use(), density: density.use(), setTheme: theme.set, setDensity: density.set };
}
