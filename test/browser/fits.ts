import { expect, type Locator, type Page } from "@playwright/test";

/**
 * Elements beyond the edges of the window, and boxes that scroll sideways but cannot be focused by keyboard.
 */
const sticksOut = `(() => {
  const isInside = (box) => box.left >= -1 && box.right <= innerWidth + 1;
  const wayOf = (element) => getComputedStyle(element).overflowX;
  const isCut = (element) => {
    for (let around = element.parentElement; around; around = around.parentElement)
      if (wayOf(around) !== "visible" && isInside(around.getBoundingClientRect())) return true;
    return false;
  };
  const faults = [];
  for (const element of document.querySelectorAll("body *")) {
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const scrolls = /auto|scroll/.test(wayOf(element)) && element.scrollWidth > element.clientWidth + 1;
    if ((scrolls && element.tabIndex !== 0 && !element.matches("textarea, [contenteditable]")) || (!isInside(box) && !isCut(element)))
      faults.push(element.tagName + "." + element.className + " " + Math.round(box.left) + ".." + Math.round(box.right) + " " + element.textContent.slice(0, 40));
  }
  return faults.slice(0, 4);
})()`;

/** Checks that the page fits a phone's width, in both text directions. */
export async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize({ width: 480, height: 800 });
  for (const direction of ["ltr", "rtl"]) {
    await page.evaluate(`document.documentElement.dir = "${direction}"`);
    await expect.poll(() => page.evaluate(sticksOut), direction).toEqual([]);
  }
}

/** Changes the language of the app without loading the page again, as another window that chooses it does. */
async function speak(page: Page, language: "en" | "de"): Promise<void> {
  await page.evaluate(`localStorage.setItem("carrel.language", "${language}");
    dispatchEvent(new StorageEvent("storage", { key: "carrel.language" }))`);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
}

/** Checks that the app's page also fits a phone's width in German, whose words are longer. */
export async function expectToFitInGerman(page: Page): Promise<void> {
  await page.setViewportSize({ width: 480, height: 800 });
  await speak(page, "de");
  await expect.poll(() => page.evaluate(sticksOut), "in German").toEqual([]);
  await speak(page, "en");
}

/** On how many lines a text stands. */
export const linesOf = (text: Locator): Promise<number> =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
