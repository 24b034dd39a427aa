import type { Page } from "@playwright/test";

/**
 * A script for a page: it touches every element inside `place` in every way, and returns what looks active there.
 * @param place a selector.
 */
export const touchEverything = (place: string): string => `(() => {
  const doubtful = [];
  for (const element of document.querySelectorAll("${place} *")) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "style") doubtful.push(element.tagName + " " + name + "=" + value);
    }
    const address = element.href || element.src;
    if (address && !/^(https?|mailto):/.test(address)) doubtful.push(element.tagName + " " + address);
    element.addEventListener("click", (event) => event.preventDefault());
    for (const kind of ["mouseover", "focus", "click", "error", "load", "toggle", "animationstart", "pointerover"]) {
      element.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
    }
  }
  return { doubtful, foreign: document.querySelectorAll("${place} :is(script, style, svg, iframe, form)").length };
})()`;

/**
 * Records what active content could do in a window: dialogs, other windows, frames, and what another origin is asked
 * for. Only effects count. A script that the policy refuses has no effect, whatever the browser logs about it.
 */
export async function watchEffects(page: Page, origin: string): Promise<string[]> {
  const effects: string[] = [];
  page.on("dialog", async (dialog) => {
    effects.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.context().on("page", (other) => void effects.push(`window ${other.url()}`));
  page.on("frameattached", () => void effects.push("frame"));
  await page.route(
    (url) => url.origin !== origin && /^(https?|wss?):$/.test(url.protocol),
    async (route) => {
      const type = route.request().resourceType();
      // Comments may show pictures of other servers (requests 7).
      if (type !== "image") effects.push(`${type} ${route.request().url()}`);
      await route.abort();
    },
  );
  return effects;
}
