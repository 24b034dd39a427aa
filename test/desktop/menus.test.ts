import { describe, expect, test } from "vitest";
import { contextMenuModel } from "../../main/desktop/context-menu.ts";
import { type Item, menuModel } from "../../main/desktop/menu.ts";
import { type TrayStatus, trayModel } from "../../main/desktop/tray.ts";
import { wordsOf } from "../../main/desktop/words.ts";

const english = wordsOf("en-GB");
const german = wordsOf("de-AT");

describe("menus", () => {
  const flat = (items: Item[]): Item[] =>
    items.flatMap((item) => (item.kind === "submenu" ? [item, ...flat(item.items)] : [item]));
  const roles = (items: Item[]) => flat(items).map((item) => (item.kind === "role" ? item.role : item.kind));

  test("developer tools are in a working copy only", () => {
    expect(roles(menuModel({ isMac: false, isPackaged: true }, english))).not.toContain("toggleDevTools");
    expect(roles(menuModel({ isMac: false, isPackaged: false }, english))).toContain("toggleDevTools");
  });

  test("copy and paste are there, and one way to settings and to quitting on each system", () => {
    for (const isMac of [true, false]) {
      const items = menuModel({ isMac, isPackaged: true }, english);
      expect(roles(items)).toEqual(expect.arrayContaining(["copy", "paste", "undo", "quit"]));
      expect(roles(items).filter((role) => role === "quit")).toHaveLength(1);
      const settings = flat(items).filter((item) => item.kind === "action" && item.label === "Settings…");
      expect(settings).toHaveLength(1);
    }
  });

  test("no key is given twice", () => {
    for (const isMac of [true, false]) {
      const keys = flat(menuModel({ isMac, isPackaged: false }, english)).flatMap((item) =>
        item.kind === "action" && item.accelerator ? [item.accelerator] : [],
      );
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});

describe("the language of menus and tray", () => {
  test("is English for a system whose language has no texts", () => {
    expect(wordsOf("fr-CA")).toBe(english);
    expect(wordsOf("")).toBe(english);
    expect(wordsOf("de")).toBe(german);
  });

  test("German has each text in other words, but for the few that are alike", () => {
    const said = (text: string | ((value: never) => string)) => (typeof text === "string" ? text : text(2 as never));
    const alike = Object.entries(english).filter(([name, text]) => {
      const other = german[name as keyof typeof german];
      return said(text) === said(other);
    });
    expect(alike.map(([name]) => name)).toEqual(["offline"]);
    expect(german.changesWait(1)).toBe("1 Änderung wartet.");
  });
});

describe("the menu of a secondary click", () => {
  const editFlags = { canCut: false, canCopy: false, canPaste: true, canSelectAll: true };
  const nothing = { isEditable: false, selectionText: "", linkURL: "", misspelledWord: "", dictionarySuggestions: [] };
  const nowhere = { kind: "refused" } as const;
  const namesOf = (items: Item[]) => items.flatMap((item) => ("label" in item ? [item.label] : []));

  test("a field can be edited, with what is possible now", () => {
    const items = contextMenuModel({ ...nothing, isEditable: true, editFlags }, nowhere, english);
    const possible = items.flatMap((item) => (item.kind === "role" && item.isEnabled ? [item.role] : []));
    expect(possible).toEqual(["paste", "pasteAndMatchStyle", "selectAll"]);
    expect(namesOf(items)).toEqual(["Cut", "Copy", "Paste", "Paste without formatting", "Select all"]);
  });

  test("a misspelled word can be corrected or learned", () => {
    const pressed = { ...nothing, isEditable: true, editFlags, misspelledWord: "recieved" };
    const items = contextMenuModel({ ...pressed, dictionarySuggestions: ["received"] }, nowhere, english);
    expect(items.slice(0, 2)).toEqual([
      { kind: "action", label: "received", action: { kind: "replace-word", word: "received" } },
      { kind: "action", label: "Add to dictionary", action: { kind: "learn-word", word: "recieved" } },
    ]);
  });

  test("a link to another site and selected text can be copied; elsewhere there is no menu", () => {
    const link = { kind: "outside", url: "https://doi.org/10.5281/x" } as const;
    const pressed = { ...nothing, selectionText: "some words", editFlags: { ...editFlags, canCopy: true } };
    expect(namesOf(contextMenuModel(pressed, link, german))).toEqual(["Link kopieren", "Kopieren"]);
    expect(contextMenuModel({ ...nothing, editFlags }, { kind: "stay" }, english)).toEqual([]);
    expect(contextMenuModel({ ...nothing, selectionText: " ", editFlags }, nowhere, english)).toEqual([]);
  });
});

describe("the tray", () => {
  const quiet = { server: "https://library.example.org", pending: 0, sending: 0, rejected: 0, conflicts: 0 };
  const status = (part: Partial<TrayStatus>): TrayStatus => ({ state: "up_to_date", ...quiet, ...part });
  const actions = (model: ReturnType<typeof trayModel>) =>
    model.items.flatMap((item) => (item.kind === "action" ? [item.action] : []));

  test.each([
    [status({}), "Carrel: Up to date"],
    [status({ state: "offline", pending: 14 }), "Carrel: Offline. 14 changes waiting."],
    [status({ state: "offline" }), "Carrel: Offline. You can keep working."],
    [status({ state: "paused", pending: 1 }), "Carrel: Paused. 1 change waiting."],
    [status({ state: "syncing", pending: 2, sending: 1 }), "Carrel: Sending 3 changes"],
    [status({ state: "syncing" }), "Carrel: Fetching what is new"],
    [status({ state: "needs_you", rejected: 1, conflicts: 1 }), "Carrel: 2 changes need you"],
    [status({ state: "sign_in" }), "Carrel: The server asks you to sign in again"],
    [status({ state: "local", server: null }), "Carrel: On this computer only"],
    [status({ state: "paused", asks: "removal" }), "Carrel: Synchronisation waits for your decision"],
    [status({ state: "offline", asks: "space" }), "Carrel: The disk of this computer is full. You can keep working."],
    [status({ state: "offline", asks: "update" }), "Carrel: This version doesn’t work with the server"],
    [undefined, "Carrel is starting"],
  ])("says how things stand: %j", (given, sentence) => {
    expect(trayModel(given, english).sentence).toBe(sentence);
  });

  test("pauses and resumes in one click, where there is a server", () => {
    expect(actions(trayModel(status({}), english))).toContainEqual({ kind: "sync", call: "pause" });
    expect(actions(trayModel(status({ state: "paused" }), english))).toContainEqual({ kind: "sync", call: "resume" });
    const kinds = actions(trayModel(status({ state: "local", server: null }), english)).map(({ kind }) => kind);
    expect(kinds).not.toContain("sync");
    const asking = trayModel(status({ state: "paused", asks: "removal" }), english);
    expect(actions(asking)).not.toContainEqual({ kind: "sync", call: "resume" });
    expect(kinds).toEqual(["show", "show", "quit"]);
  });
});
