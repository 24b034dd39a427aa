import { expect, type Locator, type Page } from "@playwright/test";

const mostSteps = 120;

const hasFocus = (target: Locator) =>
  target.evaluateAll((elements) => elements.some((element) => element.matches(":focus")));

/** A person without a mouse: Tab and the keys of what has the focus. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Goes on by Tab, or back by Shift-Tab, until the target has the focus; fails when it cannot be reached. */
  async to(target: Locator, { back = false } = {}): Promise<void> {
    await expect(target.first()).toBeVisible();
    for (let step = 0; step < mostSteps; step++) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press(back ? "Shift+Tab" : "Tab");
    }
    throw new Error(`${target} is not reached by ${mostSteps} presses of Tab`);
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
