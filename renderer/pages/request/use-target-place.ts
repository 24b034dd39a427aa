import { useLocation } from "@tanstack/react-router";
import { placeHash } from "./place.ts";

/** The name of the field or file that the address leads to. */
export function useTargetPlace(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  if (!hash.startsWith(placeHash)) return undefined;
  const name = hash.slice(placeHash.length);
  try {
    // Names of files have blanks.
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
