import type { LucideIcon } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";

export type CommandGroup = "page" | "go" | "do" | "look";

/** A command: by name in the palette, or by keys. */
export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  icon: LucideIcon;
  /** Such as `mod+k`, `g l` (in sequence), `?`. `mod` is Ctrl, on a Mac Command. */
  keys?: string;
  /** Further keys, which no list names. */
  alsoKeys?: string;
  /** Whether the keys belong to what has the focus, such as a text that is being typed. */
  yieldsTo?: (target: EventTarget | null) => boolean;
  run: () => void;
}

const pages = new Map<symbol, Command[]>();
let all: Command[] = [];
const listeners = new Set<() => void>();

function tell() {
  all = [...pages.values()].flat();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const currentCommands = () => all;
export const useCommandList = () => useSyncExternalStore(subscribe, currentCommands);

/** Registers a page's commands while it is shown. */
export function useCommands(commands: Command[]) {
  useEffect(() => {
    const place = Symbol();
    pages.set(place, commands);
    tell();
    return () => {
      pages.delete(place);
      tell();
    };
  });
}
