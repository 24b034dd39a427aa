import type * as Electron from "electron";
import { dataFolderArgument, defaultDataFolder } from "./default-folders.ts";
import type { Desktop, DesktopWindow, WindowGuards } from "./desktop.ts";
import { type ApiAddress, addressPatterns, headersOf } from "./header-rule.ts";
import type { Action, Item } from "./menu.ts";
import { type SpawnApi, utilityApi } from "./spawn-api.ts";

/** The parts of Electron that are used. Only `main/index.ts` may import them. */
export type ElectronParts = Pick<
  typeof Electron,
  | "app"
  | "BrowserWindow"
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

/** Files of the program. */
export interface ProgramFiles {
  preload: string;
  /** The `carrel` program, which runs the API process. */
  cli: string;
  trayImage: string;
}

type Perform = (action: Action) => void;

function entryOf(item: Item, perform: Perform): Electron.MenuItemConstructorOptions {
  switch (item.kind) {
    case "role":
      return { role: item.role };
    case "text":
      return { label: item.label, enabled: false };
    case "separator":
      return { type: "separator" };
    case "submenu":
      return { label: item.label, submenu: templateOf(item.items, perform) };
    case "action":
      return {
        label: item.label,
        click: () => perform(item.action),
        ...(item.accelerator ? { accelerator: item.accelerator } : {}),
      };
  }
}

const templateOf = (items: Item[], perform: Perform): Electron.MenuItemConstructorOptions[] =>
  items.map((item) => entryOf(item, perform));

/** Applies the navigation rules: a window stays with the local API and opens no other window. */
function guard(contents: Electron.WebContents, { destinationOf, openOutside }: WindowGuards): void {
  const lead = (url: string): boolean => {
    const destination = destinationOf(url);
    if (destination.kind === "outside") openOutside(destination.url);
    return destination.kind === "stay";
  };
  contents.on("will-navigate", (event) => {
    if (!lead(event.url)) event.preventDefault();
  });
  contents.on("will-redirect", (event) => {
    if (!lead(event.url)) event.preventDefault();
  });
  contents.on("will-frame-navigate", (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (lead(url)) void contents.loadURL(url);
    return { action: "deny" };
  });
}

function openWindow(
  { BrowserWindow }: ElectronParts,
  options: Electron.BrowserWindowConstructorOptions,
  guards: WindowGuards,
): DesktopWindow {
  const window = new BrowserWindow(options);
  guard(window.webContents, guards);
  const { navigationHistory } = window.webContents;
  return {
    load: (url) => window.loadURL(url),
    show() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    address: () => window.webContents.getURL(),
    go: (direction) => (direction === "back" ? navigationHistory.goBack() : navigationHistory.goForward()),
    onClosed: (listener) => void window.on("closed", listener),
  };
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

/** Ends the program after unfinished work is done. */
function quitPort({ app }: ElectronParts): Pick<Desktop, "onQuit" | "quit"> {
  return {
    onQuit(listener) {
      let isDone = false;
      app.on("before-quit", (event) => {
        if (isDone) return;
        event.preventDefault();
        const end = () => {
          isDone = true;
          app.quit();
        };
        listener().then(end, end);
      });
    },
    quit: () => app.quit(),
  };
}

/** Implements the port with Electron. Tests pass `spawnApi` to avoid child processes. */
export function electronDesktop(electron: ElectronParts, files: ProgramFiles, spawnApi?: SpawnApi): Desktop {
  const { app, dialog, Menu, nativeTheme, shell, utilityProcess } = electron;
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
    session: sessionPort(electron),
    windows: {
      isDark: () => nativeTheme.shouldUseDarkColors,
      preload: files.preload,
      open: (options, guards) => openWindow(electron, options, guards),
      onActivate: (listener) => void app.on("activate", listener),
      onAllClosed: (listener) => void app.on("window-all-closed", listener),
    },
    openOutside: (url) => void shell.openExternal(url),
    menu: { set: (items, perform) => Menu.setApplicationMenu(Menu.buildFromTemplate(templateOf(items, perform))) },
    tray: trayPort(electron, files.trayImage),
    dialogs: { showFailure: (title, text) => dialog.showErrorBox(title, text) },
    fetch,
    every: (ms, work) => void setInterval(work, ms),
    keyStore: keyStorePort(electron),
    spawnApi: spawnApi ?? utilityApi((...call) => utilityProcess.fork(...call), files.cli),
    ...quitPort(electron),
  };
}
