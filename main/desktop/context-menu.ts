import type { ContextMenuParams } from "electron";
import { type Item, separator } from "./menu.ts";
import type { Destination } from "./navigation.ts";
import type { Words } from "./words.ts";

/** The clicked element, as Electron describes it. */
export type Pressed = Pick<
  ContextMenuParams,
  "isEditable" | "selectionText" | "linkURL" | "misspelledWord" | "dictionarySuggestions"
> & { editFlags: Pick<ContextMenuParams["editFlags"], "canCut" | "canCopy" | "canPaste" | "canSelectAll"> };

function spellingItems({ misspelledWord, dictionarySuggestions }: Pressed, words: Words): Item[] {
  if (misspelledWord === "") return [];
  return [
    ...dictionarySuggestions.map(
      (word): Item => ({ kind: "action", label: word, action: { kind: "replace-word", word } }),
    ),
    { kind: "action", label: words.learnWord, action: { kind: "learn-word", word: misspelledWord } },
    separator,
  ];
}

/**
 * The menu of a secondary click: editing in fields, copying of a selection or of a link to another site. Electron itself
 * has none. Links within the app have addresses of this computer, which are of no use to others.
 * @returns no items where there is nothing to do.
 */
export function contextMenuModel(pressed: Pressed, link: Destination, words: Words): Item[] {
  const { isEditable, selectionText, editFlags } = pressed;
  const role = (name: "cut" | "copy" | "paste" | "pasteAndMatchStyle" | "selectAll", isEnabled: boolean): Item => ({
    kind: "role",
    role: name,
    label: words[name],
    isEnabled,
  });
  if (isEditable)
    return [
      ...spellingItems(pressed, words),
      role("cut", editFlags.canCut),
      role("copy", editFlags.canCopy),
      role("paste", editFlags.canPaste),
      role("pasteAndMatchStyle", editFlags.canPaste),
      separator,
      role("selectAll", editFlags.canSelectAll),
    ];
  return [
    ...(link.kind === "outside"
      ? [{ kind: "action", label: words.copyLink, action: { kind: "copy-text", text: link.url } } satisfies Item]
      : []),
    ...(selectionText.trim() === "" ? [] : [role("copy", editFlags.canCopy)]),
  ];
}
