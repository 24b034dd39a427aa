import type { MenuItemConstructorOptions } from "electron";
import type { Action, Item } from "./menu.ts";

type Perform = (action: Action) => void;

function entryOf(item: Item, perform: Perform): MenuItemConstructorOptions {
  switch (item.kind) {
    case "role":
      return { role: item.role, label: item.label, enabled: item.isEnabled ?? true };
    case "text":
      return { label: item.label, enabled: false };
    case "separator":
      return { type: "separator" };
    case "submenu":
      return { label: item.label, submenu: templateOf(item.items, perform) };
    case "action":
      return {
        label: item.label,
        click: () => perform(item.action),
        ...(item.accelerator ? { accelerator: item.accelerator } : {}),
      };
  }
}

/** The template from which Electron builds a menu. */
export const templateOf = (items: Item[], perform: Perform): MenuItemConstructorOptions[] =>
  items.map((item) => entryOf(item, perform));
