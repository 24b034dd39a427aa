import { describe, expect, test } from "vitest";
import { electronDesktop } from "../../main/desktop/electron-desktop.ts";
import { destinationOf } from "../../main/desktop/navigation.ts";
import { windowOptions } from "../../main/desktop/window-options.ts";
import { FakeWindow, fakeElectron } from "../support/fake-electron.ts";

const files = { preload: "/app/preload.cjs", cli: "/app/cli.js", trayImage: "/app/tray.png" };
const origin = "http://127.0.0.1:4711";

function opened() {
  const { parts, recorded, app } = fakeElectron();
  const desktop = electronDesktop(parts, files);
  const outside: string[] = [];
  const performed: unknown[] = [];
  const crashes: string[] = [];
  const languages: string[] = [];
  const window = desktop.windows.open(windowOptions({ preload: files.preload, isDark: true, isMac: false }), {
    destinationOf: (url) => destinationOf(url, origin),
    openOutside: (url) => void outside.push(url),
    contextMenu: ({ linkURL }) =>
      linkURL ? [{ kind: "action", label: "Copy link", action: { kind: "copy-text", text: linkURL } }] : [],
    perform: (action) => void performed.push(action),
    leaveQuestion: () => ({ title: "Leave this page?", text: "A file is being added.", leave: "Leave", stay: "Stay" }),
    onCrashed: (reason) => void crashes.push(reason),
    onLanguage: (locale) => void languages.push(locale),
  });
  const fake = FakeWindow.all[0];
  if (!fake) throw new Error("No window was made.");
  return { desktop, recorded, app, window, contents: fake.webContents, outside, performed, crashes, languages };
}

function asksFor(contents: ReturnType<typeof opened>["contents"], name: string, url: string, isMainFrame = true) {
  const event = {
    url,
    isMainFrame,
    wasPrevented: false,
    preventDefault: () => Object.assign(event, { wasPrevented: true }),
  };
  contents.emit(name, event);
  return event.wasPrevented;
}

describe("Electron behind the port (ux 4)", () => {
  test("the sandbox is on before anything else", () => {
    const { parts, recorded } = fakeElectron();
    electronDesktop(parts, files);
    expect(recorded.sandboxed).toBe(true);
  });

  test.each(["will-navigate", "will-redirect"])("%s: a window stays with the local API", (name) => {
    const { contents, outside } = opened();
    expect(asksFor(contents, name, `${origin}/sync`)).toBe(false);
    expect(asksFor(contents, name, "https://example.org/")).toBe(true);
    expect(asksFor(contents, name, "file:///etc/passwd")).toBe(true);
    expect(outside).toEqual(["https://example.org/"]);
  });

  test("frames within a page go nowhere, webviews are not attached", () => {
    const { contents } = opened();
    expect(asksFor(contents, "will-frame-navigate", `${origin}/x`, false)).toBe(true);
    expect(asksFor(contents, "will-frame-navigate", `${origin}/x`, true)).toBe(false);
    expect(asksFor(contents, "will-attach-webview", "")).toBe(true);
  });

  test("a page opens no window: our own addresses are shown in this one, others outside", () => {
    const { contents, outside } = opened();
    expect(contents.opener({ url: `${origin}/records/x` })).toEqual({ action: "deny" });
    expect(contents.opener({ url: "mailto:ada@example.org" })).toEqual({ action: "deny" });
    expect(contents.opener({ url: "ftp://example.org" })).toEqual({ action: "deny" });
    expect(contents.loaded).toEqual([`${origin}/records/x`]);
    expect(outside).toEqual(["mailto:ada@example.org"]);
  });

  test("the session adds the credential for the API and asks the rule for permissions", () => {
    const { desktop, recorded } = opened();
    desktop.session.setApi({ url: origin, token: "secret" });
    desktop.session.setPermissions((permission, from) => permission === "notifications" && from === origin);
    let headers = {};
    recorded.headers?.({ url: `${origin}/api`, initiatorOrigin: origin, requestHeaders: {} }, (answer) => {
      headers = answer.requestHeaders;
    });
    expect(recorded.filter).toEqual([`${origin}/*`, "ws://127.0.0.1:4711/*"]);
    expect(headers).toEqual({ Authorization: "Bearer secret" });
    expect(recorded.check?.(null, "notifications", origin)).toBe(true);
    expect(recorded.check?.(null, "media", origin)).toBe(false);
    const answers: boolean[] = [];
    recorded.request?.(null, "notifications", (granted) => answers.push(granted), { requestingUrl: `${origin}/sync` });
    recorded.request?.(null, "notifications", (granted) => answers.push(granted), { requestingUrl: "https://x.org/" });
    expect(answers).toEqual([true, false]);
  });

  test("text is sealed by the key store of the system; Electron's own disguise counts as none", async () => {
    const { desktop, recorded } = opened();
    expect(await desktop.keyStore.isAvailable()).toBe(true);
    const sealed = await desktop.keyStore.seal("key");
    expect(await desktop.keyStore.unseal(sealed)).toBe("key");
    recorded.backend = "basic_text";
    expect(await desktop.keyStore.isAvailable()).toBe(process.platform !== "linux");
  });

  test("menu items perform their action", () => {
    const { desktop, recorded } = opened();
    const done: unknown[] = [];
    desktop.menu.set(
      [{ kind: "submenu", label: "A", items: [{ kind: "action", label: "B", action: { kind: "back" } }] }],
      (action) => done.push(action),
    );
    const [submenu] = recorded.menu;
    const item = Array.isArray(submenu?.submenu) ? submenu.submenu[0] : undefined;
    // Electron passes item, window and event, which our actions do not look at.
    (item?.click as (() => void) | undefined)?.();
    expect(done).toEqual([{ kind: "back" }]);
  });

  test("a menu item with a role has our label, and is grey where it does nothing", () => {
    const { desktop, recorded } = opened();
    desktop.menu.set(
      [
        { kind: "role", role: "cut", label: "Ausschneiden", isEnabled: false },
        { kind: "role", role: "copy", label: "Kopieren" },
      ],
      () => undefined,
    );
    expect(recorded.menu.slice()).toEqual([
      { role: "cut", label: "Ausschneiden", enabled: false },
      { role: "copy", label: "Kopieren", enabled: true },
    ]);
  });

  test("a secondary click opens a menu where there is something to do", () => {
    const { contents, recorded, performed } = opened();
    contents.emit("context-menu", {}, { linkURL: "" });
    expect(recorded.popups).toEqual([]);
    contents.emit("context-menu", {}, { linkURL: "https://example.org/" });
    const [item] = recorded.popups[0] ?? [];
    (item?.click as (() => void) | undefined)?.();
    expect(performed).toEqual([{ kind: "copy-text", text: "https://example.org/" }]);
  });

  test.each([
    [0, true],
    [1, false],
  ])("a page with unfinished work asks before it is left; button %i leaves: %s", (pressed, leaves) => {
    const { contents, recorded } = opened();
    Object.assign(recorded, { pressed });
    expect(asksFor(contents, "will-prevent-unload", "")).toBe(leaves);
    expect(recorded.questions).toEqual([
      expect.objectContaining({ message: "Leave this page?", buttons: ["Leave", "Stay"], defaultId: 1, cancelId: 1 }),
    ]);
  });

  test("a page whose process ended by itself is reported, one that was closed is not", () => {
    const { contents, crashes } = opened();
    contents.emit("render-process-gone", {}, { reason: "clean-exit" });
    contents.emit("render-process-gone", {}, { reason: "oom" });
    expect(crashes).toEqual(["oom"]);
  });

  test("the language of the page is told with its title", async () => {
    const { desktop, contents, languages } = opened();
    expect(desktop.locale()).toBe("de-AT");
    contents.lang = "de";
    contents.emit("page-title-updated", {}, "Bibliothek");
    await new Promise((resolve) => setImmediate(resolve));
    expect(languages).toEqual(["de"]);
  });

  test("words are corrected and learned by the page's spelling check, texts are copied", () => {
    const { desktop, window, contents, recorded } = opened();
    window.replaceWord("received");
    window.learnWord("Carrel");
    desktop.copyText("https://example.org/");
    expect(contents.words).toEqual({ replaced: ["received"], learned: ["Carrel"] });
    expect(recorded.copied).toEqual(["https://example.org/"]);
  });

  test("the program ends only after its windows have closed and what it has to finish is done", async () => {
    const { desktop, recorded, app } = opened();
    let finish = (): void => undefined;
    let begun = 0;
    desktop.onQuit(() => {
      begun += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const ends = (name: string): boolean => {
      const event = { wasPrevented: false, preventDefault: () => Object.assign(event, { wasPrevented: true }) };
      app.emit(name, event);
      return !event.wasPrevented;
    };
    // Electron closes the windows between these two events.
    expect(ends("before-quit")).toBe(true);
    expect({ begun, ended: ends("will-quit") }).toEqual({ begun: 0, ended: false });
    expect(ends("will-quit")).toBe(false);
    expect({ begun, quits: recorded.quits }).toEqual({ begun: 1, quits: 0 });
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect({ quits: recorded.quits, ended: ends("will-quit") }).toEqual({ quits: 1, ended: true });
  });
});
