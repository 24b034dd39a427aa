import { useSyncExternalStore } from "react";

/** Something small that the person chose for this window's address, kept by the browser. */
export interface StoredChoice<Value extends string> {
  read(): Value;
  set(value: string): void;
  /** The value, shown anew when it changes. */
  use(): Value;
}

/** @param onChange called after each change, for what stands outside React. */
export function storedChoice<Value extends string>(
  key: string,
  fallback: Value,
  onChange: () => void = () => undefined,
): StoredChoice<Value> {
  const listeners = new Set<() => void>();
  const read = () => (localStorage.getItem(key) as Value | null) ?? fallback;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    read,
    set(value) {
      localStorage.setItem(key, value);
      onChange();
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
}
