import type { Page } from "@playwright/test";

/** Replaces React's developer tools, and counts the components that each commit rendered. */
const counter = `{
  let count = 0;
  const rendered = 1;
  const visit = (fiber) => {
    const before = fiber.alternate;
    if (before === null || fiber.flags & rendered) count += 1;
    if (before !== null && fiber.child === before.child) return;
    for (let child = fiber.child; child; child = child.sibling) visit(child);
  };
  window.takeRenderCount = () => {
    const taken = count;
    count = 0;
    return taken;
  };
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    onCommitFiberRoot: (_renderer, root) => visit(root.current),
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
  };
}`;

/** Reloads the page with a counter. */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(counter);
  await page.reload();
}

/** The number of components rendered since the last call. */
export const takeRenderCount = (page: Page): Promise<number> => page.evaluate("window.takeRenderCount()");

/** How many components a key renders until the next frame, in what has the focus; the fewest of some presses. */
export async function rendersOfKey(page: Page, key: string): Promise<number> {
  const counts: number[] = [];
  for (let press = 0; press < 3; press += 1) {
    await page.evaluate(`
      addEventListener("keydown", () => window.takeRenderCount(), { once: true, capture: true });
      window.rendered = new Promise((resolve) => addEventListener(
        "input", () => requestAnimationFrame(() => resolve(window.takeRenderCount())), { once: true }));
      undefined;`);
    await page.keyboard.press(key);
    counts.push(await page.evaluate("window.rendered"));
  }
  return Math.min(...counts);
}
