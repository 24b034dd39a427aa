import type { TiptapEditorHTMLElement } from "@tiptap/react";
import i18next from "i18next";

const waitMs = 30_000;
/** Frames for which the field keeps the focus: a closing menu returns it to its button. */
const heldFrames = 3;

/** Whether the key writes, and does nothing else. */
const writes = ({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent) =>
  isComposing || ((key.length === 1 || key === "Enter" || key === "Backspace") && !ctrlKey && !metaKey && !altKey);

const isModifier = ({ key }: KeyboardEvent) =>
  ["Shift", "Control", "Alt", "Meta", "CapsLock", "AltGraph"].includes(key);

function write(field: HTMLElement, text: string): void {
  const { editor } = field as Partial<TiptapEditorHTMLElement>;
  if (editor) {
    editor.commands.focus("end");
    editor.view.pasteText(text);
  } else document.execCommand("insertText", false, text);
}

/**
 * Gives the focus to a field that may not be there yet. What the user types until then goes to the field and is never a
 * shortcut. Ends when the user does something else.
 * @param find the field; null while it is loaded.
 * @returns ends the waiting.
 */
export function typeAhead(find: () => HTMLElement | null | undefined): () => void {
  const catcher = document.createElement("textarea");
  catcher.className = "visually-hidden";
  catcher.setAttribute("aria-label", i18next.t("editor.opens"));
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    catcher.remove();
  };
  // An input method would lose what it composes.
  let isComposing = false;
  for (const kind of ["compositionstart", "compositionend"])
    catcher.addEventListener(kind, () => {
      isComposing = kind === "compositionstart";
    });
  const target = () => {
    const field = isComposing ? catcher : find();
    if (!field && !catcher.isConnected) document.body.append(catcher);
    return field ?? catcher;
  };
  const give = (field: HTMLElement) => {
    const { editor } = field as Partial<TiptapEditorHTMLElement>;
    // A plain focus leaves the caret of an editor at its start for some milliseconds.
    if (editor) editor.view.focus();
    else field.focus(field === catcher ? { preventScroll: true } : {});
  };
  const take = () => {
    const field = target();
    if (document.activeElement !== field) give(field);
    if (field === catcher) return false;
    catcher.remove();
    const text = catcher.value;
    catcher.value = "";
    if (text) write(field, text);
    return true;
  };
  const { signal } = ended;
  addEventListener("pointerdown", end, { capture: true, signal });
  addEventListener("popstate", end, { signal });
  const onKey = (event: KeyboardEvent) => {
    if (isModifier(event)) return;
    if (!writes(event)) return end();
    if (event.target === document.activeElement && event.target === target()) return;
    // The text of a key goes to the element that has the focus after this.
    event.stopImmediatePropagation();
    take();
  };
  addEventListener("keydown", onKey, { capture: true, signal });
  // Before the next key, which may send the text.
  const watching = new MutationObserver(() => find() && take());
  watching.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => watching.disconnect());
  const untilMs = performance.now() + waitMs;
  let held = 0;
  const hold = () => {
    if (signal.aborted) return;
    const wasHere = document.activeElement === find();
    held = take() && wasHere ? held + 1 : 0;
    if (held === heldFrames || performance.now() > untilMs) end();
    else requestAnimationFrame(hold);
  };
  hold();
  return end;
}
