import type * as Electron from "electron";

/** The parts of Electron that are used. Only `main/index.ts` may import them. */
export type ElectronParts = Pick<
  typeof Electron,
  | "app"
  | "BrowserWindow"
  | "clipboard"
  | "dialog"
  | "Menu"
  | "nativeImage"
  | "nativeTheme"
  | "safeStorage"
  | "session"
  | "shell"
  | "Tray"
  | "utilityProcess"
>;
