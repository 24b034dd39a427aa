import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 64rem)");
const subscribe = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** Whether the window has room for a preview beside the list. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
