import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { expectToFit } from "./fits.ts";
import { openScene, type Scene } from "./scene.ts";
import { screens } from "./screens.ts";

// Every screen, light and dark: a picture into .screenshots/ for people to judge, and two rules for the machine:
// axe finds nothing, the content security policy refuses nothing; and a narrow window holds all of it in either direction.

// Each worker has a desk of its own.
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

// What passed is counted, not described, which takes a third of the time. A theme changes nothing but colours: all else is
// asked once.
const violations = { resultTypes: ["violations" as const] };
const rules = { light: violations, dark: { ...violations, runOnly: ["color-contrast"] } };

/** Nothing is loading, and what fades or moves for a moment has come to its end: colours are what they will stay. */
async function calm(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(`(async () => {
    await document.fonts.ready;
    const short = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(short.map(({ finished }) => finished));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  })()`);
}

for (const { name, path, shows, on = "replica", isNew = false, act } of screens)
  test(`${name}, ${themes.join(" and ")}`, async ({ browser }) => {
    const { page, context, faults } = await openWindow(browser, scene[on], {
      isNew,
      path: typeof path === "string" ? path : path(scene),
    });
    await act?.(page, scene);
    await expect(page.getByText(shows).first()).toBeVisible();
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await calm(page);
      await page.screenshot({ path: `.screenshots/${name}-${theme}.png` });
      // Without frames inside, the page alone is looked at, which takes half the time.
      expect(page.frames()).toHaveLength(1);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().options(rules[theme]).analyze();
      expect(
        violations.map(
          ({ id, nodes }) => `${theme}, ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
        ),
      ).toEqual([]);
    }
    await expectToFit(page);
    expect(faults).toEqual([]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });
