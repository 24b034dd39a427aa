const focusMs = 30_000;
const heldFrames = 3;

/**
 * Puts the focus where a comment is written, and sees that it stays there for a moment: right after a change of tabs the
 * editor has yet to be shown, and a menu that closes shuts out the page until it has given the focus back to its button.
 * What the person does meanwhile goes before.
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
