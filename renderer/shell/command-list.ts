import type { LucideIcon } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";

export type CommandGroup = "page" | "go" | "do" | "look";

/** Something that can be done from anywhere: by its name in the palette, or by its keys. */
export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  icon: LucideIcon;
  /** As in `mod+k`, `g l` (one after the other), `?`; `mod` is Ctrl, on a Mac Command. */
  keys?: string;
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

/** What a page offers while it is shown. */
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
