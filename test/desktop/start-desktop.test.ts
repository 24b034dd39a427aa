import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startDesktop } from "../../main/desktop/start-desktop.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import { FakeTimers, fakeDesktop } from "../support/fake-desktop.ts";

const id = recordIdFrom(new Uint8Array([9, 8, 7, 6, 5]));
/** Lets everything that waits for a settled promise go on. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function started(options: Parameters<typeof fakeDesktop>[0] = {}) {
  const fake = fakeDesktop(options);
  const timers = new FakeTimers();
  const api = await startDesktop(fake.desktop, timers);
  const child = () => {
    const last = fake.children.at(-1);
    if (!last) throw new Error("No API was started.");
    return last;
  };
  return { ...fake, timers, api, child };
}

describe("the desktop app (ux 4)", () => {
  test("a second program of the same person ends at once and starts nothing", async () => {
    const { seen, children, api } = await started({ isFirst: false });
    expect(api).toBeUndefined();
    expect({ quits: seen.quits, children: children.length, windows: seen.windows.length }).toEqual({
      quits: 1,
      children: 0,
      windows: 0,
    });
  });

  test("starts the API on the person's data, and opens a window when it is ready", async () => {
    const { seen, child, calls } = await started();
    expect(calls).toEqual([["replica", "--data", "/data", "--offer-salvage"]]);
    expect(seen.windows).toEqual([]);
    child().ready(4711);
    await nextTurn();
    expect(seen.api).toEqual([{ url: "http://127.0.0.1:4711", token: expect.stringContaining("port-4711") }]);
    expect(seen.windows.map(({ loaded }) => loaded)).toEqual([["http://127.0.0.1:4711/"]]);
    expect(seen.registered).toEqual(["carrel"]);
  });

  test("the API gets the key of its token, the same after a crash; none where there is no key store", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-start-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const { keys, child, timers } = await started({ account: "grace", dataDir });
    child().exits("crashed");
    timers.pass(500);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{43}$/), keys[0]]);
    expect((await started()).keys).toEqual([undefined]);
  });

  test("no address that a window is sent to holds the secret", async () => {
    const { seen, child } = await started();
    child().ready(4711);
    await nextTurn();
    expect(seen.windows.flatMap(({ loaded }) => loaded).join()).not.toContain("token");
  });

  test("a link that started the program opens its page", async () => {
    const { seen, child } = await started({ argv: ["/opt/carrel", `carrel://record/${id}`] });
    child().ready(4711);
    await nextTurn();
    expect(seen.windows[0]?.loaded).toEqual([`http://127.0.0.1:4711/records/${id}`]);
  });

  test("a link to a running program brings its window forward at that page", async () => {
    const { seen, child, play } = await started();
    child().ready(4711);
    await nextTurn();
    play.second(["carrel", `carrel://draft/${id}`]);
    play.link(`carrel://record/${id}`);
    await nextTurn();
    expect(seen.windows).toHaveLength(1);
    expect(seen.windows[0]?.loaded.slice(1)).toEqual([
      `http://127.0.0.1:4711/uploads/${id}`,
      `http://127.0.0.1:4711/records/${id}`,
    ]);
  });

  test("a link that is not ours only brings the window forward", async () => {
    const { seen, child, play } = await started();
    child().ready(4711);
    await nextTurn();
    play.link("carrel://evil/../../etc");
    await nextTurn();
    expect(seen.windows[0]).toMatchObject({ loaded: ["http://127.0.0.1:4711/"], shown: 2 });
  });

  test("after a crash of the API the person is at the same page, at the new address", async () => {
    const { seen, child, play, timers } = await started();
    child().ready(4711);
    await nextTurn();
    play.link(`carrel://record/${id}`);
    await nextTurn();
    child().exits("ended by SIGSEGV");
    expect(play.mayHave("notifications", "http://127.0.0.1:4711")).toBe(false);
    timers.pass(500);
    child().ready(4800);
    await nextTurn();
    expect(seen.windows).toHaveLength(1);
    expect(seen.windows[0]?.loaded.at(-1)).toBe(`http://127.0.0.1:4800/records/${id}`);
    expect(seen.api.map(({ url }) => url)).toEqual(["http://127.0.0.1:4711", "http://127.0.0.1:4800"]);
    expect(play.mayHave("notifications", "http://127.0.0.1:4800")).toBe(true);
  });

  test("an API that never stays is given up: the cause is shown, the program ends", async () => {
    const { seen, child, timers } = await started();
    for (let round = 0; round < 4; round++) {
      child().logs("The data folder is in use by process 12.");
      child().exits("ended with 1");
      timers.pass(4_000);
    }
    expect(seen.failures).toEqual(["Carrel cannot open your library: The data folder is in use by process 12."]);
    expect(seen.quits).toBe(1);
  });

  test("the tray asks the API how things stand, and pauses it", async () => {
    const { seen, child, play } = await started();
    child().ready(4711);
    await nextTurn();
    play.status = { state: "syncing", server: "https://x", pending: 2, sending: 0, rejected: 0, conflicts: 0 };
    play.tick();
    await nextTurn();
    expect(seen.tray.at(-1)?.sentence).toBe("Carrel: Sending 2 changes");
    play.perform({ kind: "sync", call: "pause" });
    await nextTurn();
    expect(seen.requests).toContainEqual({
      method: "POST",
      url: "http://127.0.0.1:4711/api/sync/pause",
      authorization: expect.stringContaining("Bearer token-of-port-4711"),
    });
  });

  test("closing the window leaves the program in the tray, which opens it again", async () => {
    const { seen, child, play } = await started();
    child().ready(4711);
    await nextTurn();
    seen.windows[0]?.close();
    expect(seen.quits).toBe(0);
    play.perform({ kind: "show" });
    await nextTurn();
    expect(seen.windows).toHaveLength(2);
  });

  test("the window is led by the rules of navigation", async () => {
    const { seen, child } = await started();
    child().ready(4711);
    await nextTurn();
    const rules = seen.windows[0]?.rules;
    expect(rules?.destinationOf("http://127.0.0.1:4711/sync")).toEqual({ kind: "stay" });
    expect(rules?.destinationOf("file:///etc/passwd")).toEqual({ kind: "refused" });
  });

  test("menu and tray speak the language of the system, then that of the page", async () => {
    const { seen, child } = await started({ locale: "de-AT" });
    child().ready(4711);
    await nextTurn();
    const labels = () => seen.menu.flatMap((item) => (item.kind === "submenu" ? [item.label] : []));
    expect(labels()).toEqual(["Datei", "Bearbeiten", "Ansicht", "Fenster", "Hilfe"]);
    expect(seen.tray.at(-1)?.sentence).toBe("Carrel: Nur auf diesem Computer");
    const rules = seen.windows[0]?.rules;
    expect(rules?.leaveQuestion().stay).toBe("Bleiben");
    rules?.onLanguage("en");
    await nextTurn();
    expect(labels()).toEqual(["File", "Edit", "View", "Window", "Help"]);
    expect(seen.tray.at(-1)?.sentence).toBe("Carrel: On this computer only");
    expect(rules?.leaveQuestion().stay).toBe("Stay");
  });

  test("an unchanged status makes no new menu of the tray, which would close the open one", async () => {
    const { seen, child, play } = await started();
    child().ready(4711);
    await nextTurn();
    const before = seen.tray.length;
    play.tick();
    await nextTurn();
    expect(seen.tray).toHaveLength(before);
  });

  test("a page that crashed is loaded again; after a second crash within a minute the reason is shown", async () => {
    const { seen, child, play, timers } = await started();
    child().ready(4711);
    await nextTurn();
    play.link(`carrel://record/${id}`);
    await nextTurn();
    const [window] = seen.windows;
    window?.rules.onCrashed("oom");
    timers.pass(60_000);
    window?.rules.onCrashed("oom");
    await nextTurn();
    const address = `http://127.0.0.1:4711/records/${id}`;
    expect(window?.loaded.slice(1)).toEqual([address, address, address]);
    expect(seen.failures).toEqual([]);
    timers.pass(59_999);
    window?.rules.onCrashed("oom");
    await nextTurn();
    expect(window?.loaded).toHaveLength(4);
    expect(seen.failures).toEqual(["The page of Carrel failed twice: oom"]);
  });

  test("a secondary click copies links to other sites, and corrects words", async () => {
    const { seen, child, play } = await started();
    child().ready(4711);
    await nextTurn();
    const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
    const pressed = { isEditable: false, selectionText: "", misspelledWord: "", dictionarySuggestions: [], editFlags };
    const rules = seen.windows[0]?.rules;
    expect(rules?.contextMenu({ ...pressed, linkURL: "http://127.0.0.1:4711/sync" })).toEqual([]);
    const [copy] = rules?.contextMenu({ ...pressed, linkURL: "https://doi.org/10.5281/x" }) ?? [];
    if (copy?.kind === "action") rules?.perform(copy.action);
    play.perform({ kind: "replace-word", word: "received" });
    play.perform({ kind: "learn-word", word: "Carrel" });
    await nextTurn();
    expect(seen.copied).toEqual(["https://doi.org/10.5281/x"]);
    expect(seen.windows[0]?.words).toEqual(["replaced by received", "learned Carrel"]);
  });

  test("while the program ends, nothing opens a window on the API that stops", async () => {
    const { seen, child, play } = await started();
    child().ready(4711);
    await nextTurn();
    seen.windows[0]?.close();
    void play.endOfProgram();
    play.perform({ kind: "show" });
    await nextTurn();
    expect(seen.windows).toHaveLength(1);
  });

  test("the program ends when the API has ended", async () => {
    const { child, play } = await started();
    child().ready(4711);
    await nextTurn();
    let hasEnded = false;
    const end = play.endOfProgram().then(() => {
      hasEnded = true;
    });
    await nextTurn();
    expect({ hasEnded, received: child().received }).toEqual({ hasEnded: false, received: ["stop"] });
    child().exits("ended with 0");
    await end;
    expect(hasEnded).toBe(true);
  });
});
