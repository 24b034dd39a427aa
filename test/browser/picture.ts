import type { Page } from "@playwright/test";

/**
 * Takes a picture for people, into `.screenshots/`. Only where `CARREL_PICTURES` is set, as `npm run contact-sheet` does:
 * the pictures of all screens take a minute.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.CARREL_PICTURES) await page.screenshot({ path: `.screenshots/${name}.png` });
}
