import { EventEmitter } from "node:events";
import type * as Electron from "electron";
import type { ElectronParts } from "../../main/desktop/electron-parts.ts";

type HeadersListener = (
  details: { url: string; initiatorOrigin?: string; requestHeaders: Record<string, string> },
  answer: (response: { requestHeaders: Record<string, string> }) => void,
) => void;

class FakeContents extends EventEmitter {
  loaded: string[] = [];
  opener: (details: { url: string }) => { action: string } = () => ({ action: "allow" });
  /** The language of the page. */
  lang = "en";
  words = { replaced: [] as string[], learned: [] as string[] };
  session = { addWordToSpellCheckerDictionary: (word: string) => this.words.learned.push(word) };
  replaceMisspelling = (word: string) => this.words.replaced.push(word);
  navigationHistory = { goBack: () => this.loaded.push("back"), goForward: () => this.loaded.push("forward") };

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.opener = handler;
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }
  async executeJavaScript(source: string): Promise<unknown> {
    return source === "document.documentElement.lang" ? this.lang : undefined;
  }
  getURL(): string {
    return this.loaded.at(-1) ?? "";
  }
}

export class FakeWindow extends EventEmitter {
  static all: FakeWindow[] = [];
  webContents = new FakeContents();
  options: object;

  constructor(options: object) {
    super();
    this.options = options;
    FakeWindow.all.push(this);
  }
  loadURL = (url: string) => this.webContents.loadURL(url);
  isMinimized = () => true;
  restore = () => this.webContents.loaded.push("restored");
  show = () => undefined;
  focus = () => undefined;
}

/** The parts of Electron that the program uses, recording calls. */
export function fakeElectron() {
  FakeWindow.all = [];
  const recorded = {
    sandboxed: false,
    quits: 0,
    backend: "gnome_libsecret",
    outside: [] as string[],
    filter: [] as string[],
    headers: undefined as HeadersListener | undefined,
    check: undefined as ((contents: null, permission: string, origin: string) => boolean) | undefined,
    request: undefined as
      | ((contents: null, permission: string, answer: (granted: boolean) => void, details: object) => void)
      | undefined,
    menu: [] as Electron.MenuItemConstructorOptions[],
    /** Menus of a secondary click. */
    popups: [] as Electron.MenuItemConstructorOptions[][],
    copied: [] as string[],
    /** The dialogs shown, and the button that the user presses. */
    questions: [] as Electron.MessageBoxSyncOptions[],
    pressed: 1,
  };
  const app = Object.assign(new EventEmitter(), {
    isPackaged: true,
    enableSandbox: () => Object.assign(recorded, { sandboxed: true }),
    requestSingleInstanceLock: () => true,
    setAsDefaultProtocolClient: () => true,
    whenReady: async () => undefined,
    quit: () => recorded.quits++,
    getLocale: () => "de-AT",
  });
  const defaultSession = {
    webRequest: {
      onBeforeSendHeaders: (filter: { urls: string[] }, listener: HeadersListener) =>
        Object.assign(recorded, { filter: filter.urls, headers: listener }),
    },
    setPermissionCheckHandler: (check: unknown) => Object.assign(recorded, { check }),
    setPermissionRequestHandler: (request: unknown) => Object.assign(recorded, { request }),
    setDevicePermissionHandler: () => undefined,
  };
  const parts = {
    app,
    BrowserWindow: FakeWindow,
    clipboard: { writeText: (text: string) => void recorded.copied.push(text) },
    dialog: {
      showErrorBox: () => undefined,
      showMessageBoxSync(_window: object, question: Electron.MessageBoxSyncOptions) {
        recorded.questions.push(question);
        return recorded.pressed;
      },
    },
    Menu: {
      buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]) =>
        Object.assign([...template], { popup: () => void recorded.popups.push(template) }),
      setApplicationMenu: (menu: Electron.MenuItemConstructorOptions[]) => Object.assign(recorded, { menu }),
    },
    nativeImage: { createFromPath: (path: string) => path },
    nativeTheme: { shouldUseDarkColors: true },
    safeStorage: {
      getSelectedStorageBackend: () => recorded.backend,
      isAsyncEncryptionAvailable: async () => true,
      encryptStringAsync: async (text: string) => Buffer.from(text).reverse(),
      decryptStringAsync: async (sealed: Buffer) => ({ result: Buffer.from(sealed).reverse().toString() }),
    },
    session: { defaultSession },
    shell: { openExternal: async (url: string) => void recorded.outside.push(url) },
    Tray: class {
      setToolTip() {}
      setContextMenu() {}
    },
    utilityProcess: { fork: () => new EventEmitter() },
  };
  // Incomplete compared with Electron's types; a missing member would throw.
  return { parts: parts as unknown as ElectronParts, app, recorded };
}
