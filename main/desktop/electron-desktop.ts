import type * as Electron from "electron";
import { dataFolderArgument, defaultDataFolder } from "./default-folders.ts";
import type { Desktop } from "./desktop.ts";
import { templateOf } from "./electron-menu.ts";
import type { ElectronParts } from "./electron-parts.ts";
import { openWindow } from "./electron-window.ts";
import { type ApiAddress, addressPatterns, headersOf } from "./header-rule.ts";
import { utilityApi } from "./spawn-api.ts";

/** Files of the program. */
export interface ProgramFiles {
  preload: string;
  /** The `carrel` program, which runs the API process. */
  cli: string;
  trayImage: string;
}

function sessionPort({ session }: ElectronParts): Desktop["session"] {
  return {
    setApi(api: ApiAddress) {
      const filter = { urls: addressPatterns(api) };
      session.defaultSession.webRequest.onBeforeSendHeaders(filter, (request, answer) =>
        answer({ requestHeaders: headersOf(request, api) }),
      );
    },
    setPermissions(mayHave) {
      session.defaultSession.setPermissionCheckHandler((_contents, permission, origin) => mayHave(permission, origin));
      session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
        answer(mayHave(permission, new URL(details.requestingUrl).origin)),
      );
      session.defaultSession.setDevicePermissionHandler(() => false);
    },
  };
}

/** Without a key store on Linux, Electron encrypts with a built-in key (`basic_text`), which protects nothing. */
function keyStorePort({ safeStorage }: ElectronParts): Desktop["keyStore"] {
  return {
    async isAvailable() {
      if (process.platform === "linux" && safeStorage.getSelectedStorageBackend() === "basic_text") return false;
      return safeStorage.isAsyncEncryptionAvailable();
    },
    seal: (text) => safeStorage.encryptStringAsync(text),
    unseal: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}

function trayPort({ Tray, Menu, nativeImage }: ElectronParts, image: string): Desktop["tray"] {
  let tray: Electron.Tray | undefined;
  return {
    set(model, perform) {
      tray ??= new Tray(nativeImage.createFromPath(image));
      tray.setToolTip(model.sentence);
      tray.setContextMenu(Menu.buildFromTemplate(templateOf(model.items, perform)));
    },
  };
}

/**
 * Ends the program after unfinished work is done. Electron closes the windows first, so pages can still send the last
 * words, and ask the user to stay.
 */
function quitPort({ app }: ElectronParts): Pick<Desktop, "onQuit" | "quit"> {
  return {
    onQuit(listener) {
      let state: "running" | "ending" | "ended" = "running";
      const end = () => {
        state = "ended";
        app.quit();
      };
      app.on("will-quit", (event) => {
        if (state === "ended") return;
        event.preventDefault();
        if (state === "ending") return;
        state = "ending";
        listener().then(end, end);
      });
    },
    quit: () => app.quit(),
  };
}

/** Implements the port with Electron. */
export function electronDesktop(electron: ElectronParts, files: ProgramFiles): Desktop {
  const { app, clipboard, dialog, Menu, nativeTheme, shell, utilityProcess } = electron;
  app.enableSandbox();
  return {
    isMac: process.platform === "darwin",
    isPackaged: app.isPackaged,
    dataDir: dataFolderArgument(process.argv) ?? defaultDataFolder(process.platform, process.env),
    argv: process.argv.slice(1),
    lock: {
      acquire: () => app.requestSingleInstanceLock(),
      onSecond: (listener) => void app.on("second-instance", (_event, argv) => listener(argv)),
    },
    links: {
      register: (scheme) => void app.setAsDefaultProtocolClient(scheme),
      onOpen: (listener) =>
        void app.on("open-url", (event, url) => {
          event.preventDefault();
          listener(url);
        }),
    },
    whenReady: () => app.whenReady(),
    locale: () => app.getLocale(),
    session: sessionPort(electron),
    windows: {
      isDark: () => nativeTheme.shouldUseDarkColors,
      preload: files.preload,
      open: (options, rules) => openWindow(electron, options, rules),
      onActivate: (listener) => void app.on("activate", listener),
      onAllClosed: (listener) => void app.on("window-all-closed", listener),
    },
    openOutside: (url) => void shell.openExternal(url),
    copyText: (text) => clipboard.writeText(text),
    menu: { set: (items, perform) => Menu.setApplicationMenu(Menu.buildFromTemplate(templateOf(items, perform))) },
    tray: trayPort(electron, files.trayImage),
    dialogs: { showFailure: (title, text) => dialog.showErrorBox(title, text) },
    fetch,
    every: (ms, work) => void setInterval(work, ms),
    keyStore: keyStorePort(electron),
    spawnApi: utilityApi((...call) => utilityProcess.fork(...call), files.cli),
    ...quitPort(electron),
  };
}
