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
  const window = desktop.windows.open(windowOptions({ preload: files.preload, isDark: true }), {
    destinationOf: (url) => destinationOf(url, origin),
    openOutside: (url) => void outside.push(url),
  });
  const fake = FakeWindow.all[0];
  if (!fake) throw new Error("No window was made.");
  return { desktop, recorded, app, window, contents: fake.webContents, outside };
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

  test("the program ends only after what it has to finish", async () => {
    const { desktop, recorded, app } = opened();
    let finish = (): void => undefined;
    desktop.onQuit(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const event = { wasPrevented: false, preventDefault: () => Object.assign(event, { wasPrevented: true }) };
    app.emit("before-quit", event);
    expect({ prevented: event.wasPrevented, quits: recorded.quits }).toEqual({ prevented: true, quits: 0 });
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(recorded.quits).toBe(1);
  });
});
