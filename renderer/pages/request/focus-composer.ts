const focusMs = 3000;
const heldFrames = 3;

/**
 * Puts the focus where a comment is written, and sees that it stays there for a moment: right after a change of tabs the
 * editor has yet to be shown, and a menu that closes shuts out the page until it has given the focus back to its button.
 */
export function focusComposer(until = performance.now() + focusMs, held = 0) {
  const box = document.querySelector<HTMLElement>("#compose [role=textbox]");
  const isThere = box !== null && document.activeElement === box;
  if (!isThere) box?.focus();
  if (held < heldFrames && performance.now() < until)
    requestAnimationFrame(() => focusComposer(until, isThere ? held + 1 : 0));
}
