import type { MenuItemConstructorOptions } from "electron";

/** What the program does for a menu or tray item; everything else is a role of the system. */
export type Action =
  | { kind: "show"; path?: string }
  | { kind: "back" }
  | { kind: "forward" }
  | { kind: "sync"; call: "run" | "pause" | "resume" }
  | { kind: "quit" };

type Role = NonNullable<MenuItemConstructorOptions["role"]>;

/** A menu as data: an item is a role, an action, a submenu, a sentence that cannot be chosen, or a line. */
export type Item =
  | { kind: "role"; role: Role; label?: string }
  | { kind: "action"; label: string; accelerator?: string; action: Action }
  | { kind: "submenu"; label: string; items: Item[] }
  | { kind: "text"; label: string }
  | { kind: "line" };

const line: Item = { kind: "line" };
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
  line,
  settings,
  line,
  role("services"),
  line,
  role("hide"),
  role("hideOthers"),
  role("unhide"),
  line,
  role("quit"),
]);

/** The menu of the program. Developer tools are there in a working copy only. */
export function menuModel({ isMac, isPackaged }: { isMac: boolean; isPackaged: boolean }): Item[] {
  const file = submenu("File", [
    action("Library", show("/"), "CmdOrCtrl+1"),
    action("Requests", show("/me/requests"), "CmdOrCtrl+2"),
    action("Synchronisation", show("/sync"), "CmdOrCtrl+3"),
    ...(isMac ? [] : [line, settings]),
    line,
    role("close"),
    ...(isMac ? [] : [role("quit")]),
  ]);
  const edit = submenu("Edit", [
    role("undo"),
    role("redo"),
    line,
    role("cut"),
    role("copy"),
    role("paste"),
    role("pasteAndMatchStyle"),
    role("selectAll"),
  ]);
  const view = submenu("View", [
    action("Back", { kind: "back" }, isMac ? "Cmd+[" : "Alt+Left"),
    action("Forward", { kind: "forward" }, isMac ? "Cmd+]" : "Alt+Right"),
    line,
    role("reload"),
    role("resetZoom"),
    role("zoomIn"),
    role("zoomOut"),
    role("togglefullscreen"),
    ...(isPackaged ? [] : [line, role("toggleDevTools")]),
  ]);
  const window = submenu("Window", [role("minimize"), ...(isMac ? [role("zoom"), role("front")] : [])]);
  return [...(isMac ? [macMenu] : []), file, edit, view, window];
}
