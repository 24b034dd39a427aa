import type { Page, Route } from "@playwright/test";

/**
 * Delays answers until they are released. The calls take effect at once, unless they are to be refused. `release`
 * resolves when they are answered: a page that is closed before could not answer them. Later calls pass, or are refused.
 */
export async function hold(page: Page, method: string, path: RegExp, refusal?: string) {
  const gate = Promise.withResolvers<void>();
  const answers: Promise<void>[] = [];
  let isReleased = false;
  const held = {
    count: 0,
    async release() {
      isReleased = true;
      gate.resolve();
      await Promise.all(answers);
    },
  };
  async function answer(route: Route): Promise<void> {
    const response = refusal === undefined ? await route.fetch() : undefined;
    await gate.promise;
    if (response) return route.fulfill({ response });
    return route.fulfill({ status: 503, json: { status: 503, message: refusal } });
  }
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    held.count += 1;
    if (isReleased && refusal === undefined) return route.fallback();
    const answered = answer(route);
    answers.push(answered);
    await answered;
  });
  return held;
}
