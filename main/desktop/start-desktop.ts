import { type ApiProcess, superviseApi, type Timers } from "./api-process.ts";
import { appPathOf, linkArgument, scheme } from "./deep-link.ts";
import type { Desktop, DesktopWindow } from "./desktop.ts";
import { folderKey } from "./folder-key.ts";
import type { ApiAddress } from "./header-rule.ts";
import { type Action, menuModel } from "./menu.ts";
import { destinationOf } from "./navigation.ts";
import { isPermissionGranted } from "./permissions.ts";
import type { SpawnApi } from "./spawn-api.ts";
import { type TrayStatus, trayModel, trayStatus } from "./tray.ts";
import { windowOptions } from "./window-options.ts";

const statusEveryMs = 5_000;

/** The window, and the page to show once the API answers. */
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

  /** Loads the pages from the API's new address. */
  async setApi(api: ApiAddress): Promise<void> {
    this.#path = this.#shownPath() ?? this.#path;
    this.#api = api;
    this.#desktop.session.setApi(api);
    await this.show(this.#path);
  }

  apiGone(): void {
    this.#api = undefined;
  }

  /** Brings the window to the front, at a page if one is given. */
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

  /** The current page, which a restart of the API must keep. */
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

/** The sync status; undefined while the API does not answer. */
async function readStatus(desktop: Desktop, api: ApiAddress | undefined): Promise<TrayStatus | undefined> {
  if (!api) return undefined;
  try {
    const answer = await callApi(desktop, api, "/api/sync/status");
    return trayStatus.safeParse(await answer.json()).data;
  } catch {
    // The process just ended. Its supervisor reports it, and the tray shows that it is starting.
    return undefined;
  }
}

/** Connects menus, tray and links with the window and the local API. */
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
    act(action).catch((error: unknown) => desktop.dialogs.showFailure("The action failed", String(error)));
  };
}

/** Listens for events that bring the window to the front: a second start, a link, the dock. */
function listenForActivation(desktop: Desktop, open: (path?: string) => void): void {
  const openLink = (link: string | undefined) => open(link === undefined ? undefined : appPathOf(link));
  desktop.lock.onSecond((argv) => openLink(linkArgument(argv)));
  desktop.links.onOpen(openLink);
  desktop.windows.onActivate(() => open());
  desktop.windows.onAllClosed(() => {
    // Sync continues while the window is closed. Quitting is a separate action.
  });
}

/**
 * Starts the desktop app: one program per user, the API in its own process, one window. @returns the supervised
 * process; undefined if another program was running and was brought to the front.
 */
export async function startDesktop(desktop: Desktop, timers: Timers = machineTimers): Promise<ApiProcess | undefined> {
  if (!desktop.lock.acquire()) {
    desktop.quit();
    return undefined;
  }
  const first = linkArgument(desktop.argv);
  const window = new AppWindow(desktop, (first && appPathOf(first)) ?? "/");
  const failed = (error: unknown) => desktop.dialogs.showFailure("Carrel could not show its window", String(error));
  const perform = performer(desktop, window, refresh);
  async function refresh(): Promise<void> {
    desktop.tray.set(trayModel(await readStatus(desktop, window.api)), perform);
  }
  listenForActivation(desktop, (path) => void window.show(path).catch(failed));
  await desktop.whenReady();
  desktop.links.register(scheme);
  desktop.menu.set(menuModel(desktop), perform);
  desktop.session.setPermissions((permission, origin) => isPermissionGranted(permission, origin, window.origin));
  const tokenKey = await folderKey(desktop.dataDir, desktop.keyStore);
  const spawn: SpawnApi = (args) => desktop.spawnApi(args, tokenKey);
  const api = superviseApi(spawn, ["replica", "--data", desktop.dataDir, "--offer-salvage"], timers, {
    onReady: (address) => void window.setApi(address).then(refresh).catch(failed),
    onRestart: () => {
      window.apiGone();
      void refresh();
    },
    onFailed: (reason) => {
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
