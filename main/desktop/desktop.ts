import type { BrowserWindowConstructorOptions } from "electron";
import type { KeyStore } from "./folder-key.ts";
import type { ApiAddress } from "./header-rule.ts";
import type { Action, Item } from "./menu.ts";
import type { Destination } from "./navigation.ts";
import type { SpawnApi } from "./spawn-api.ts";
import type { TrayModel } from "./tray.ts";

/** A window as this program sees it. */
export interface DesktopWindow {
  load(url: string): Promise<void>;
  show(): void;
  /** The address it shows, empty before the first. */
  address(): string;
  go(direction: "back" | "forward"): void;
  onClosed(listener: () => void): void;
}

export interface WindowGuards {
  /** Asked before each navigation, redirect and new window. */
  destinationOf(url: string): Destination;
  openOutside(url: string): void;
}

/** All that the program wants of the system it runs on. Electron fills it in `main/index.ts`, tests with fakes. */
export interface Desktop {
  isMac: boolean;
  isPackaged: boolean;
  /** Folder of this person's data. */
  dataDir: string;
  /** Arguments that the program was started with. */
  argv: readonly string[];
  /** Only one program per person may run. */
  lock: { acquire(): boolean; onSecond(listener: (argv: readonly string[]) => void): void };
  links: { register(scheme: string): void; onOpen(listener: (link: string) => void): void };
  whenReady(): Promise<void>;
  session: {
    /** The one credential of the windows, replaced at each start of the API. */
    setApi(api: ApiAddress): void;
    setPermissions(mayHave: (permission: string, origin: string) => boolean): void;
  };
  windows: {
    isDark(): boolean;
    preload: string;
    open(options: BrowserWindowConstructorOptions, guards: WindowGuards): DesktopWindow;
    onActivate(listener: () => void): void;
    onAllClosed(listener: () => void): void;
  };
  openOutside(url: string): void;
  menu: { set(items: Item[], perform: (action: Action) => void): void };
  tray: { set(model: TrayModel, perform: (action: Action) => void): void };
  dialogs: { showFailure(title: string, text: string): void };
  fetch: typeof fetch;
  /** Calls `work` every so many milliseconds until the program ends. */
  every(ms: number, work: () => void): void;
  keyStore: KeyStore;
  spawnApi: SpawnApi;
  /** Called when the program is about to end; it ends when the promise is settled. */
  onQuit(listener: () => Promise<void>): void;
  quit(): void;
}
