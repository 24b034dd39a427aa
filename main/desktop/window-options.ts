import type { BrowserWindowConstructorOptions } from "electron";

interface WindowOptions {
  /** Absolute path of the bundled preload script. */
  preload: string;
  isDark: boolean;
  isMac: boolean;
}

/** The page's background colours, so that a new window does not flash white. */
const ground = { light: "#f8fafc", dark: "#0f1318" };

/**
 * Options of the window: no Node, an isolated and sandboxed page. Electron stores its size and place. Spelling is checked
 * where the system does it: elsewhere Chromium would fetch dictionaries from the internet.
 */
export const windowOptions = ({ preload, isDark, isMac }: WindowOptions): BrowserWindowConstructorOptions => ({
  title: "Carrel",
  name: "main",
  windowStatePersistence: true,
  width: 1360,
  height: 880,
  minWidth: 480,
  minHeight: 400,
  show: false,
  backgroundColor: isDark ? ground.dark : ground.light,
  webPreferences: {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: isMac,
  },
});
