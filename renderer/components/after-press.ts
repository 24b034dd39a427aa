let isDown = false;
let waiting: (() => void)[] = [];

const end = () => {
  isDown = false;
  const ended = waiting;
  waiting = [];
  for (const run of ended) run();
};

addEventListener("pointerdown", () => (isDown = true), { capture: true });
// The click follows in the same task as the release.
for (const kind of ["pointerup", "pointercancel", "dragend"] as const)
  addEventListener(kind, () => setTimeout(end), { capture: true });

/**
 * Runs now, or once the mouse button or finger that is down has been released. For changes that move the page: a button that
 * moves away between the press and the release is not pressed.
 */
export function afterPress(run: () => void): void {
  if (isDown) waiting.push(run);
  else run();
}
