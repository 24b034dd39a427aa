import { expect, type Locator, type Page } from "@playwright/test";

const maxSteps = 120;

/**
 * Chooses a suggestion by keyboard. The list closes when the page scrolls below it, as happens after a field was
 * scrolled into view. Then the text is typed again, as a user would.
 */
export async function chooseByKeys(box: Locator, text: string, chosen: string): Promise<void> {
  await expect(async () => {
    await box.clear();
    await box.pressSequentially(text);
    await box.page().getByRole("option", { name: chosen, exact: true }).waitFor({ timeout: 5_000 });
    await box.press("ArrowDown");
    await box.press("Enter");
    await expect(box).toHaveValue(chosen, { timeout: 2_000 });
  }).toPass();
}

const hasFocus = (target: Locator) =>
  target.evaluateAll((elements) => elements.some((element) => element.matches(":focus")));

/** A user without a mouse: Tab, and the keys of the focused element. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses Tab, or Shift-Tab with `back`, until the target has the focus. Fails if it cannot be reached. */
  async to(target: Locator, { back = false } = {}): Promise<void> {
    await expect(target.first()).toBeVisible();
    for (let step = 0; step < maxSteps; step++) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press(back ? "Shift+Tab" : "Tab");
    }
    throw new Error(`${target} is not reached by ${maxSteps} presses of Tab`);
  }

  async press(target: Locator, options: { back?: boolean } = {}): Promise<void> {
    await expect(target.first()).toBeEnabled();
    await this.to(target, options);
    await this.page.keyboard.press("Enter");
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }
}
