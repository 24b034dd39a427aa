import type { Page } from "@playwright/test";

/** Delays answers until they are released. The calls take effect at once, unless they are to be refused. */
export async function hold(page: Page, method: string, path: RegExp, refusal?: string) {
  const gate = Promise.withResolvers<void>();
  const held = { count: 0, release: gate.resolve };
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    held.count += 1;
    const response = refusal === undefined ? await route.fetch() : undefined;
    await gate.promise;
    if (response) return route.fulfill({ response });
    return route.fulfill({ status: 503, json: { status: 503, message: refusal } });
  });
  return held;
}
