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
