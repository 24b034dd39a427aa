import { useSyncExternalStore } from "react";

/** A small choice of the user, stored by the browser. */
export interface StoredChoice<Value extends string> {
  read(): Value;
  set(value: string): void;
  /** The value; rerenders when it changes. */
  use(): Value;
}

/** @param onChange called after each change, for use outside React. */
export function storedChoice<Value extends string>(
  key: string,
  fallback: Value,
  onChange: () => void = () => undefined,
): StoredChoice<Value> {
  const listeners = new Set<() => void>();
  const read = () => (localStorage.getItem(key) as Value | null) ?? fallback;
  const tell = () => {
    onChange();
    for (const listener of listeners) listener();
  };
  // The event reaches other windows only; its key is null after everything was cleared.
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) tell();
  });
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
      tell();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
}
