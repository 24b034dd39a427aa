import { useLocation } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useCommands } from "./command-list.ts";
import { useGlobalCommands } from "./global-commands.ts";
import { useKeys } from "./keys.ts";
import { Palette } from "./palette.tsx";
import { useRecent } from "./recent.ts";
import { ShortcutSheet } from "./shortcut-sheet.tsx";

const OpenPalette = createContext<() => void>(() => {});
export const useOpenPalette = () => useContext(OpenPalette);

/** Shortcuts, palette and shortcut sheet for every page. */
export function CommandCentre({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<"palette" | "sheet" | null>(null);
  const { pathname } = useLocation();
  const openPalette = () => setShown("palette");
  const close = () => setShown(null);
  useCommands(useGlobalCommands({ openPalette, openSheet: () => setShown("sheet") }));
  useKeys();
  useRecent(pathname);
  return (
    <OpenPalette value={openPalette}>
      {children}
      {shown === "palette" && <Palette onClose={close} />}
      {shown === "sheet" && <ShortcutSheet onClose={close} />}
    </OpenPalette>
  );
}
