import type { MenuItemConstructorOptions } from "electron";
import type { Words } from "./words.ts";

/** Actions of menu items. Other items are roles of the system. */
export type Action =
  | { kind: "show"; path?: string }
  | { kind: "back" }
  | { kind: "forward" }
  | { kind: "sync"; call: "run" | "pause" | "resume" }
  | { kind: "replace-word"; word: string }
  | { kind: "learn-word"; word: string }
  | { kind: "copy-text"; text: string }
  | { kind: "quit" };

type Role = NonNullable<MenuItemConstructorOptions["role"]>;

/** A menu as data: roles, actions, submenus, texts and separators. */
export type Item =
  | { kind: "role"; role: Role; label: string; isEnabled?: boolean }
  | { kind: "action"; label: string; accelerator?: string; action: Action }
  | { kind: "submenu"; label: string; items: Item[] }
  | { kind: "text"; label: string }
  | { kind: "separator" };

export const separator: Item = { kind: "separator" };

const action = (label: string, what: Action, accelerator?: string): Item => ({
  kind: "action",
  label,
  action: what,
  ...(accelerator ? { accelerator } : {}),
});
const submenu = (label: string, items: Item[]): Item => ({ kind: "submenu", label, items });
const show = (path: string): Action => ({ kind: "show", path });

/** The program's menu. Developer tools are in dev builds only. */
export function menuModel({ isMac, isPackaged }: { isMac: boolean; isPackaged: boolean }, words: Words): Item[] {
  // The words have the names of the roles.
  const role = (name: Role & keyof Words): Item => ({ kind: "role", role: name, label: String(words[name]) });
  const settings = action(words.settings, show("/settings"), "CmdOrCtrl+,");
  const apple = submenu("Carrel", [
    role("about"),
    separator,
    settings,
    separator,
    role("services"),
    separator,
    role("hide"),
    role("hideOthers"),
    role("unhide"),
    separator,
    role("quit"),
  ]);
  const file = submenu(words.file, [
    action(words.library, show("/"), "CmdOrCtrl+1"),
    action(words.requests, show("/me/requests"), "CmdOrCtrl+2"),
    action(words.synchronisation, show("/sync"), "CmdOrCtrl+3"),
    ...(isMac ? [] : [separator, settings]),
    separator,
    role("close"),
    ...(isMac ? [] : [role("quit")]),
  ]);
  const edit = submenu(words.edit, [
    role("undo"),
    role("redo"),
    separator,
    role("cut"),
    role("copy"),
    role("paste"),
    role("pasteAndMatchStyle"),
    role("selectAll"),
  ]);
  const view = submenu(words.view, [
    action(words.back, { kind: "back" }, isMac ? "Cmd+[" : "Alt+Left"),
    action(words.forward, { kind: "forward" }, isMac ? "Cmd+]" : "Alt+Right"),
    separator,
    role("reload"),
    role("resetZoom"),
    role("zoomIn"),
    role("zoomOut"),
    role("togglefullscreen"),
    ...(isPackaged ? [] : [separator, role("toggleDevTools")]),
  ]);
  const window = submenu(words.window, [role("minimize"), ...(isMac ? [role("zoom"), role("front")] : [])]);
  return [
    ...(isMac ? [apple] : []),
    file,
    edit,
    view,
    window,
    ...(isMac ? [] : [submenu(words.help, [role("about")])]),
  ];
}
