const focusMs = 30_000;
const heldFrames = 3;

/**
 * Focuses the comment editor and holds the focus for a moment. The editor may not be rendered yet, and a closing menu
 * returns the focus to its button. Stops as soon as the user acts.
 */
export function focusComposer() {
  const given = new AbortController();
  for (const done of ["pointerdown", "keydown"])
    addEventListener(done, () => given.abort(), { capture: true, signal: given.signal });
  hold(given, performance.now() + focusMs, 0);
}

function hold(given: AbortController, until: number, held: number): void {
  if (given.signal.aborted) return;
  const box = document.querySelector<HTMLElement>("#compose [role=textbox]");
  const isThere = box !== null && document.activeElement === box;
  if (!isThere) box?.focus();
  if (held === heldFrames || performance.now() > until) given.abort();
  else requestAnimationFrame(() => hold(given, until, isThere ? held + 1 : 0));
}
