import type * as Electron from "electron";
import type { DesktopWindow, LeaveQuestion, WindowRules } from "./desktop.ts";
import { templateOf } from "./electron-menu.ts";
import type { ElectronParts } from "./electron-parts.ts";

/** Applies the navigation rules: a window stays with the local API and opens no other window. */
function guard(contents: Electron.WebContents, { destinationOf, openOutside }: WindowRules): void {
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

/** Where a browser asks whether to leave a page, Electron would silently stay. @returns whether the user leaves. */
function asksToLeave({ dialog }: ElectronParts, window: Electron.BrowserWindow, question: LeaveQuestion): boolean {
  const { title, text, leave, stay } = question;
  const pressed = dialog.showMessageBoxSync(window, {
    type: "question",
    message: title,
    detail: text,
    buttons: [leave, stay],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return pressed === 0;
}

/** Does what a browser does around a page: its menu, its question before leaving, and its return after a crash. */
function attend(electron: ElectronParts, window: Electron.BrowserWindow, rules: WindowRules): void {
  const { webContents: contents } = window;
  contents.on("context-menu", (_event, pressed) => {
    const items = rules.contextMenu(pressed);
    if (items.length > 0) electron.Menu.buildFromTemplate(templateOf(items, rules.perform)).popup({ window });
  });
  contents.on("will-prevent-unload", (event) => {
    if (asksToLeave(electron, window, rules.leaveQuestion())) event.preventDefault();
  });
  contents.on("render-process-gone", (_event, { reason }) => {
    if (reason !== "clean-exit") rules.onCrashed(reason);
  });
  contents.on("page-title-updated", () => {
    const read: Promise<unknown> = contents.executeJavaScript("document.documentElement.lang");
    read.then(
      (lang) => typeof lang === "string" && rules.onLanguage(lang),
      // The page has gone meanwhile. The next one has a title too.
      () => undefined,
    );
  });
}

/** A window that stays with the local API. */
export function openWindow(
  electron: ElectronParts,
  options: Electron.BrowserWindowConstructorOptions,
  rules: WindowRules,
): DesktopWindow {
  const window = new electron.BrowserWindow(options);
  const { webContents: contents } = window;
  guard(contents, rules);
  attend(electron, window, rules);
  const { navigationHistory } = contents;
  return {
    load: (url) => window.loadURL(url),
    show() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    address: () => contents.getURL(),
    go: (direction) => (direction === "back" ? navigationHistory.goBack() : navigationHistory.goForward()),
    replaceWord: (word) => contents.replaceMisspelling(word),
    learnWord: (word) => void contents.session.addWordToSpellCheckerDictionary(word),
    onClosed: (listener) => void window.on("closed", listener),
  };
}
