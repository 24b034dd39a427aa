import { type ApiProcess, superviseApi, type Timers } from "./api-process.ts";
import { appPathOf, linkAmong, scheme } from "./deep-link.ts";
import type { Desktop, DesktopWindow } from "./desktop.ts";
import { folderKey } from "./folder-key.ts";
import type { ApiAddress } from "./header-rule.ts";
import { type Action, menuModel } from "./menu.ts";
import { destinationOf } from "./navigation.ts";
import { mayHave } from "./permissions.ts";
import type { SpawnApi } from "./spawn-api.ts";
import { type TrayStatus, trayModel, trayStatus } from "./tray.ts";
import { windowOptions } from "./window-options.ts";

const statusEveryMs = 5_000;

/** The one window, and what it is to show once the API answers. */
class AppWindow {
  #window: DesktopWindow | undefined;
  #api: ApiAddress | undefined;
  #path: string;
  readonly #desktop: Desktop;

  constructor(desktop: Desktop, path: string) {
    this.#desktop = desktop;
    this.#path = path;
  }

  get origin(): string | undefined {
    return this.#api && new URL(this.#api.url).origin;
  }

  get api(): ApiAddress | undefined {
    return this.#api;
  }

  /** The API answers, perhaps again and elsewhere: its pages are loaded from there. */
  async setApi(api: ApiAddress): Promise<void> {
    this.#path = this.#shownPath() ?? this.#path;
    this.#api = api;
    this.#desktop.session.setApi(api);
    await this.show(this.#path);
  }

  apiGone(): void {
    this.#api = undefined;
  }

  /** Brings the window forward, at that page when one is named. */
  async show(path?: string): Promise<void> {
    if (path !== undefined) this.#path = path;
    if (!this.#api) return;
    const isNew = this.#window === undefined;
    this.#window ??= this.#open();
    this.#window.show();
    if (isNew || path !== undefined || !this.#shows(this.#api))
      await this.#window.load(new URL(this.#path, this.#api.url).href);
  }

  go(direction: "back" | "forward"): void {
    this.#window?.go(direction);
  }

  /** The page that the person is at, which a new start of the API must not take away. */
  #shownPath(): string | undefined {
    const address = this.#window?.address() ?? "";
    if (!URL.canParse(address) || !address.startsWith("http:")) return undefined;
    const { pathname, search, hash } = new URL(address);
    return `${pathname}${search}${hash}`;
  }

  #shows(api: ApiAddress): boolean {
    return this.#window?.address().startsWith(`${api.url}/`) ?? false;
  }

  #open(): DesktopWindow {
    const { windows, openOutside } = this.#desktop;
    const options = windowOptions({ preload: windows.preload, isDark: windows.isDark() });
    const window = windows.open(options, {
      destinationOf: (url) => destinationOf(url, this.origin),
      openOutside,
    });
    window.onClosed(() => {
      this.#window = undefined;
    });
    return window;
  }
}

const machineTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return { cancel: () => clearTimeout(timer) };
  },
  nowMs: () => performance.now(),
};

async function callApi(desktop: Desktop, api: ApiAddress, path: string, method = "GET"): Promise<Response> {
  const headers = { Authorization: `Bearer ${api.token}`, Accept: "application/json" };
  return desktop.fetch(new URL(path, api.url), { method, headers });
}

/** How things stand; undefined while the API cannot be asked. */
async function readStatus(desktop: Desktop, api: ApiAddress | undefined): Promise<TrayStatus | undefined> {
  if (!api) return undefined;
  try {
    const answer = await callApi(desktop, api, "/api/sync/status");
    return trayStatus.safeParse(await answer.json()).data;
  } catch {
    // The process has just gone: its supervisor tells the person, the tray shows that it is starting.
    return undefined;
  }
}

/** Ties menus, tray and links to the window and the local API. */
function performer(desktop: Desktop, window: AppWindow, refresh: () => Promise<void>) {
  async function sync(call: "run" | "pause" | "resume"): Promise<void> {
    const { api } = window;
    if (!api) return;
    const answer = await callApi(desktop, api, `/api/sync/${call}`, "POST");
    if (!answer.ok) throw new Error(`The local API answered ${answer.status}.`);
    await refresh();
  }
  async function act(action: Action): Promise<void> {
    if (action.kind === "show") return window.show(action.path);
    if (action.kind === "sync") return sync(action.call);
    if (action.kind === "quit") return desktop.quit();
    window.go(action.kind);
  }
  return (action: Action): void => {
    act(action).catch((error: unknown) => desktop.dialogs.showFailure("That did not work", String(error)));
  };
}

/** Listens to whatever may bring the window forward: a second start, a link, the dock. */
function listenForCallers(desktop: Desktop, open: (path?: string) => void): void {
  const openLink = (link: string | undefined) => open(link === undefined ? undefined : appPathOf(link));
  desktop.lock.onSecond((argv) => openLink(linkAmong(argv)));
  desktop.links.onOpen(openLink);
  desktop.windows.onActivate(() => open());
  desktop.windows.onAllClosed(() => {
    // Synchronising goes on behind the tray; quitting is an action of its own.
  });
}

/**
 * The desktop app: one program per person, the API in a process of its own, one window that shows its pages. Returns
 * the supervised process, or undefined when another one was running already and has been brought forward.
 */
export async function startDesktop(desktop: Desktop, timers: Timers = machineTimers): Promise<ApiProcess | undefined> {
  if (!desktop.lock.acquire()) {
    desktop.quit();
    return undefined;
  }
  const first = linkAmong(desktop.argv);
  const window = new AppWindow(desktop, (first && appPathOf(first)) ?? "/");
  const failed = (error: unknown) => desktop.dialogs.showFailure("Carrel could not show its window", String(error));
  const perform = performer(desktop, window, refresh);
  async function refresh(): Promise<void> {
    desktop.tray.set(trayModel(await readStatus(desktop, window.api)), perform);
  }
  listenForCallers(desktop, (path) => void window.show(path).catch(failed));
  await desktop.whenReady();
  desktop.links.register(scheme);
  desktop.menu.set(menuModel(desktop), perform);
  desktop.session.setPermissions((permission, origin) => mayHave(permission, origin, window.origin));
  const tokenKey = await folderKey(desktop.dataDir, desktop.keyStore);
  const spawn: SpawnApi = (args) => desktop.spawnApi(args, tokenKey);
  const api = superviseApi(spawn, ["replica", "--data", desktop.dataDir, "--offer-salvage"], timers, {
    onReady: (address) => void window.setApi(address).then(refresh).catch(failed),
    onRestart: () => {
      window.apiGone();
      void refresh();
    },
    onGivenUp: (reason) => {
      desktop.dialogs.showFailure("Carrel cannot open your library", reason);
      desktop.quit();
    },
  });
  desktop.onQuit(() => api.stop());
  api.start();
  await refresh();
  desktop.every(statusEveryMs, () => void refresh());
  return api;
}
