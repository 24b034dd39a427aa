import type { Page } from "@playwright/test";

/** Messages of the loaded page stay: a slow machine may look for one only after the six seconds in which it is shown. */
export const keepMessages = (page: Page) =>
  page.evaluate(`(() => {
    const plain = window.setTimeout;
    window.setTimeout = (work, ms, ...rest) => (ms === 6000 ? 0 : plain(work, ms, ...rest));
  })()`);
