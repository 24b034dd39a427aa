import type { MenuItemConstructorOptions } from "electron";

/** Actions of menu items. Other items are roles of the system. */
export type Action =
  | { kind: "show"; path?: string }
  | { kind: "back" }
  | { kind: "forward" }
  | { kind: "sync"; call: "run" | "pause" | "resume" }
  | { kind: "quit" };

type Role = NonNullable<MenuItemConstructorOptions["role"]>;

/** A menu as data: roles, actions, submenus, texts and separators. */
export type Item =
  | { kind: "role"; role: Role; label?: string }
  | { kind: "action"; label: string; accelerator?: string; action: Action }
  | { kind: "submenu"; label: string; items: Item[] }
  | { kind: "text"; label: string }
  | { kind: "separator" };

const separator: Item = { kind: "separator" };
const role = (name: Role): Item => ({ kind: "role", role: name });
const action = (label: string, what: Action, accelerator?: string): Item => ({
  kind: "action",
  label,
  action: what,
  ...(accelerator ? { accelerator } : {}),
});
const submenu = (label: string, items: Item[]): Item => ({ kind: "submenu", label, items });
const show = (path: string): Action => ({ kind: "show", path });

const settings = action("Settings…", show("/settings"), "CmdOrCtrl+,");
const macMenu = submenu("Carrel", [
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

/** The program's menu. Developer tools are in dev builds only. */
export function menuModel({ isMac, isPackaged }: { isMac: boolean; isPackaged: boolean }): Item[] {
  const file = submenu("File", [
    action("Library", show("/"), "CmdOrCtrl+1"),
    action("Requests", show("/me/requests"), "CmdOrCtrl+2"),
    action("Synchronisation", show("/sync"), "CmdOrCtrl+3"),
    ...(isMac ? [] : [separator, settings]),
    separator,
    role("close"),
    ...(isMac ? [] : [role("quit")]),
  ]);
  const edit = submenu("Edit", [
    role("undo"),
    role("redo"),
    separator,
    role("cut"),
    role("copy"),
    role("paste"),
    role("pasteAndMatchStyle"),
    role("selectAll"),
  ]);
  const view = submenu("View", [
    action("Back", { kind: "back" }, isMac ? "Cmd+[" : "Alt+Left"),
    action("Forward", { kind: "forward" }, isMac ? "Cmd+]" : "Alt+Right"),
    separator,
    role("reload"),
    role("resetZoom"),
    role("zoomIn"),
    role("zoomOut"),
    role("togglefullscreen"),
    ...(isPackaged ? [] : [separator, role("toggleDevTools")]),
  ]);
  const window = submenu("Window", [role("minimize"), ...(isMac ? [role("zoom"), role("front")] : [])]);
  return [...(isMac ? [macMenu] : []), file, edit, view, window];
}
