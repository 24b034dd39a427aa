import { join } from "node:path";
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  nativeImage,
  nativeTheme,
  safeStorage,
  session,
  shell,
  Tray,
  utilityProcess,
} from "electron";
import { keepPrivate } from "../shared/kernel/private-files.ts";
import { electronDesktop } from "./desktop/electron-desktop.ts";
import { startDesktop } from "./desktop/start-desktop.ts";

// Electron's entry, bundled to out/main/index.js. Only this file and preload.ts import Electron.
const parts = {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  nativeImage,
  nativeTheme,
  safeStorage,
  session,
  shell,
  Tray,
  utilityProcess,
};
const here = import.meta.dirname;
const files = {
  preload: join(here, "../preload/preload.cjs"),
  cli: join(here, "cli.js"),
  trayImage: join(here, "../../main/packaging/tray.png"),
};

keepPrivate();
startDesktop(electronDesktop(parts, files)).catch((error: unknown) => {
  dialog.showErrorBox("Carrel could not start", error instanceof Error ? error.message : String(error));
  app.exit(1);
});
