import { type Browser, expect, type Page, test } from "@playwright/test";
import { violationsOf } from "./axe.ts";
import { Desk, openWindow, type Window } from "./desk.ts";
import { expectToFit, expectToFitInGerman } from "./fits.ts";
import { takePicture } from "./picture.ts";
import { openScene, type Scene } from "./scene.ts";
import type { Screen } from "./screen.ts";
import { screens } from "./screens.ts";

// Every screen in light and dark: axe and the content security policy report nothing, and a narrow window shows the whole
// page in both text directions. `npm run contact-sheet` also takes a picture of each, into .screenshots/ for people.

// Each worker has its own server and replicas.
test.describe.configure({ mode: "parallel" });

const themes = ["light", "dark"] as const;
let desk: Desk;
let scene: Scene;

test.beforeAll(async () => {
  desk = await Desk.open();
  scene = await openScene(desk);
});

test.afterAll(async () => {
  await desk.close();
});

/** Waits until nothing is loading or animated, so that colours are final. */
async function calm(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(`(async () => {
    await document.fonts.ready;
    const short = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(short.map(({ finished }) => finished));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  })()`);
}

/** Windows that show one screen after the other, because opening a window takes longer than checking a screen. */
const windows = new Map<string, Window>();

/** Changes the page within the window through an empty one, so that nothing of the last screen remains. */
async function turnTo(page: Page, path: string): Promise<void> {
  const dialogs = page.getByRole("dialog");
  // The first Escape only empties a search field. A dialog with typed words stays open.
  const cancel = dialogs.last().getByRole("button", { name: /^(Cancel|Abbrechen)$/ });
  await expect(async () => {
    if ((await dialogs.count()) > 0) await page.keyboard.press("Escape");
    if ((await cancel.count()) > 0) await cancel.click({ timeout: 1000 });
    await expect(dialogs).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
  // Screen reader announcements stay for seconds, and name elements of the last page.
  await page.evaluate(`document.documentElement.removeAttribute("dir");
    for (const log of document.querySelectorAll("[data-live-announcer] [role=log]")) log.replaceChildren();
    for (const key of Object.keys(localStorage))
      if (!["carrel.csrf", "carrel.welcomed"].includes(key)) localStorage.removeItem(key);
    history.pushState(null, "", "/no/such/page")`);
  await expect(page.getByRole("heading", { name: "Nothing is at this address", level: 2 })).toBeVisible();
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
}

async function windowFor(browser: Browser, { path, on = "replica", isNew = false }: Screen): Promise<Window> {
  const address = typeof path === "string" ? path : path(scene);
  const kept = isNew ? undefined : windows.get(on);
  if (!kept) return openWindow(browser, scene[on], { isNew, path: address });
  windows.delete(on);
  await turnTo(kept.page, address);
  return kept;
}

for (const screen of screens)
  test(`${screen.name}, ${themes.join(" and ")}`, async ({ browser }) => {
    const { name, shows, on = "replica", isNew = false, spoilsWindow = isNew, act } = screen;
    const window = await windowFor(browser, screen);
    const { page, context, faults } = window;
    await act?.(page, scene);
    // A folded group repeats its values beside its heading, and hides them there while it is open.
    await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible();
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await calm(page);
      await takePicture(page, `${name}-${theme}`);
      const violations = await violationsOf(page, { theme });
      expect(
        violations.map(
          ({ id, nodes }) => `${theme}, ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
        ),
      ).toEqual([]);
    }
    await expectToFit(page);
    await expectToFitInGerman(page);
    expect(faults).toEqual([]);
    if (spoilsWindow) {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    } else windows.set(on, window);
  });
