import { type ClipboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../format/amounts.ts";

/** A browser lays out one line of millions of characters for minutes, and shows nothing meanwhile. */
const maxPastedCharacters = 20_000;

/** The API refuses longer searches and texts to suggest for (search 2). */
export const maxSearchCharacters = 8192;

/**
 * Refuses a paste that is far too long for one line. The text stays in the clipboard. `forget` removes the notice.
 * Ignores a paste that another handler has taken, such as rows of cells.
 */
export function usePasteLimit(max = maxPastedCharacters) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState(0);
  const onPaste = (event: ClipboardEvent) => {
    const { length } = event.clipboardData.getData("text/plain");
    const isRefused = length > max && !event.defaultPrevented;
    if (isRefused) event.preventDefault();
    setRefused(isRefused ? length : 0);
  };
  const problem =
    refused > 0 ? t("field.paste_too_long", { size: formatCount(refused), max: formatCount(max) }) : undefined;
  return { onPaste, problem, forget: () => setRefused(0) };
}
