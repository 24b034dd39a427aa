import type { BrowserWindowConstructorOptions } from "electron";
import type { Pressed } from "./context-menu.ts";
import type { KeyStore } from "./folder-key.ts";
import type { ApiAddress } from "./header-rule.ts";
import type { Action, Item } from "./menu.ts";
import type { Destination } from "./navigation.ts";
import type { SpawnApi } from "./spawn-api.ts";
import type { TrayModel } from "./tray.ts";

export interface DesktopWindow {
  load(url: string): Promise<void>;
  show(): void;
  /** The current address; empty before the first. */
  address(): string;
  go(direction: "back" | "forward"): void;
  /** Replaces the misspelled word that was pressed. */
  replaceWord(word: string): void;
  /** Adds a word to the user's dictionary. */
  learnWord(word: string): void;
  onClosed(listener: () => void): void;
}

/** The dialog in which the user decides about a page that must not be left now. */
export interface LeaveQuestion {
  title: string;
  text: string;
  leave: string;
  stay: string;
}

/** What a window asks and tells the program. */
export interface WindowRules {
  /** Called before each navigation, redirect and new window. */
  destinationOf(url: string): Destination;
  openOutside(url: string): void;
  /** The menu of a secondary click. */
  contextMenu(pressed: Pressed): Item[];
  perform(action: Action): void;
  leaveQuestion(): LeaveQuestion;
  /** The page's process ended by itself. */
  onCrashed(reason: string): void;
  /** The language of the page, such as `de`, whenever its title changes. */
  onLanguage(locale: string): void;
}

/** Port to the operating system. `main/index.ts` implements it with Electron, tests with fakes. */
export interface Desktop {
  isMac: boolean;
  isPackaged: boolean;
  /** The user's data folder. */
  dataDir: string;
  /** Arguments of the program. */
  argv: readonly string[];
  /** Allows only one program per user. */
  lock: { acquire(): boolean; onSecond(listener: (argv: readonly string[]) => void): void };
  links: { register(scheme: string): void; onOpen(listener: (link: string) => void): void };
  whenReady(): Promise<void>;
  /** The language of the system, such as `de-AT`; known when ready. */
  locale(): string;
  session: {
    /** The address and secret for the windows, replaced at each start of the API. */
    setApi(api: ApiAddress): void;
    setPermissions(mayHave: (permission: string, origin: string) => boolean): void;
  };
  windows: {
    isDark(): boolean;
    preload: string;
    open(options: BrowserWindowConstructorOptions, rules: WindowRules): DesktopWindow;
    onActivate(listener: () => void): void;
    onAllClosed(listener: () => void): void;
  };
  openOutside(url: string): void;
  copyText(text: string): void;
  menu: { set(items: Item[], perform: (action: Action) => void): void };
  tray: { set(model: TrayModel, perform: (action: Action) => void): void };
  dialogs: { showFailure(title: string, text: string): void };
  fetch: typeof fetch;
  /** Calls `work` at this interval until the program ends. */
  every(ms: number, work: () => void): void;
  keyStore: KeyStore;
  spawnApi: SpawnApi;
  /** Registers work to finish after the windows have closed, before the program ends. */
  onQuit(listener: () => Promise<void>): void;
  quit(): void;
}
