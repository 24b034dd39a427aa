import { type ApiProcess, superviseApi, type Timers } from "./api-process.ts";
import { AppWindow, type Program } from "./app-window.ts";
import { appPathOf, linkArgument, scheme } from "./deep-link.ts";
import type { Desktop } from "./desktop.ts";
import { folderKey } from "./folder-key.ts";
import type { ApiAddress } from "./header-rule.ts";
import { type Action, menuModel } from "./menu.ts";
import { isPermissionGranted } from "./permissions.ts";
import type { SpawnApi } from "./spawn-api.ts";
import { type TrayStatus, trayModel, trayStatus } from "./tray.ts";
import { type Words, wordsOf } from "./words.ts";

const statusEveryMs = 5_000;

/** The texts in the language of the pages; until one is shown, in that of the system. */
interface Spoken {
  words: Words;
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
function performer(desktop: Desktop, window: AppWindow, spoken: Spoken, refresh: () => Promise<void>) {
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
    if (action.kind === "copy-text") return desktop.copyText(action.text);
    window.actOnPage(action);
  }
  return (action: Action): void => {
    act(action).catch((error: unknown) => desktop.dialogs.showFailure(spoken.words.actionFailed, String(error)));
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
  const spoken: Spoken = { words: wordsOf("en") };
  const program: Program = {
    words: () => spoken.words,
    perform: (action) => perform(action),
    onLanguage: speak,
    nowMs: () => timers.nowMs(),
  };
  const window = new AppWindow(desktop, program, (first && appPathOf(first)) ?? "/");
  const failed = (error: unknown) => desktop.dialogs.showFailure(spoken.words.noWindow, String(error));
  const perform = performer(desktop, window, spoken, refresh);
  let shown = "";
  async function refresh(): Promise<void> {
    const model = trayModel(await readStatus(desktop, window.api), spoken.words);
    // A new menu would close the one that the user has open.
    if (JSON.stringify(model) === shown) return;
    shown = JSON.stringify(model);
    desktop.tray.set(model, perform);
  }
  function speak(locale: string): void {
    const words = wordsOf(locale);
    if (words === spoken.words) return;
    spoken.words = words;
    desktop.menu.set(menuModel(desktop, words), perform);
    void refresh();
  }
  listenForActivation(desktop, (path) => void window.show(path).catch(failed));
  await desktop.whenReady();
  spoken.words = wordsOf(desktop.locale());
  desktop.links.register(scheme);
  desktop.menu.set(menuModel(desktop, spoken.words), perform);
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
      desktop.dialogs.showFailure(spoken.words.noLibrary, reason);
      desktop.quit();
    },
  });
  desktop.onQuit(() => {
    window.apiGone();
    return api.stop();
  });
  api.start();
  await refresh();
  desktop.every(statusEveryMs, () => void refresh());
  return api;
}
