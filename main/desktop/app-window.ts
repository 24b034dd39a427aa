import { contextMenuModel } from "./context-menu.ts";
import type { Desktop, DesktopWindow, WindowRules } from "./desktop.ts";
import type { ApiAddress } from "./header-rule.ts";
import type { Action } from "./menu.ts";
import { destinationOf } from "./navigation.ts";
import { windowOptions } from "./window-options.ts";
import type { Words } from "./words.ts";

/** What a window needs of the program. */
export interface Program {
  words(): Words;
  perform(action: Action): void;
  onLanguage(locale: string): void;
  nowMs(): number;
}

/** A page that crashes again within this time is not loaded a third time. */
const crashAgainMs = 60_000;

/** The window, and the page to show once the API answers. */
export class AppWindow {
  #window: DesktopWindow | undefined;
  #api: ApiAddress | undefined;
  #path: string;
  #crashedAtMs: number | undefined;
  readonly #desktop: Desktop;
  readonly #program: Program;

  constructor(desktop: Desktop, program: Program, path: string) {
    this.#desktop = desktop;
    this.#program = program;
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

  /** Goes back or forward, or corrects a word; other actions are not the window's. */
  actOnPage(action: Action): void {
    if (action.kind === "back" || action.kind === "forward") this.#window?.go(action.kind);
    if (action.kind === "replace-word") this.#window?.replaceWord(action.word);
    if (action.kind === "learn-word") this.#window?.learnWord(action.word);
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
    const { isMac, windows } = this.#desktop;
    const options = windowOptions({ preload: windows.preload, isDark: windows.isDark(), isMac });
    const window = windows.open(options, this.#rules());
    window.onClosed(() => {
      this.#window = undefined;
    });
    return window;
  }

  #rules(): WindowRules {
    const { openOutside } = this.#desktop;
    const { words, perform, onLanguage } = this.#program;
    return {
      destinationOf: (url) => destinationOf(url, this.origin),
      openOutside,
      contextMenu: (pressed) => contextMenuModel(pressed, destinationOf(pressed.linkURL, this.origin), words()),
      perform,
      leaveQuestion: () => {
        const { leaveTitle: title, leaveText: text, leave, stay } = words();
        return { title, text, leave, stay };
      },
      onCrashed: (reason) => this.#onCrashed(reason),
      onLanguage,
    };
  }

  #onCrashed(reason: string): void {
    const failed = (cause: unknown) =>
      this.#desktop.dialogs.showFailure(this.#program.words().pageFailed, String(cause));
    const nowMs = this.#program.nowMs();
    const isAgain = this.#crashedAtMs !== undefined && nowMs - this.#crashedAtMs < crashAgainMs;
    this.#crashedAtMs = nowMs;
    if (isAgain) failed(reason);
    else this.show(this.#shownPath() ?? this.#path).catch(failed);
  }
}
