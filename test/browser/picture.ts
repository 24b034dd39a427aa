import type { Page } from "@playwright/test";

/** As `takePicture`, in light and in dark. */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (!process.env.CARREL_PICTURES) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `${name}-${colorScheme}`);
  }
}

/**
 * Takes a picture for people, into `.screenshots/`. Only where `CARREL_PICTURES` is set, as `npm run contact-sheet` does:
 * the pictures of all screens take a minute.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.CARREL_PICTURES) await page.screenshot({ path: `.screenshots/${name}.png` });
}
