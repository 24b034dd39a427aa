import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The rules that depend on colours: a theme changes nothing else, so all other rules are checked in the light one. */
const colourRules = ["color-contrast", "link-in-text-block"];

interface Check {
  theme: "light" | "dark";
  /** Rules of these tags only, in the light theme. */
  tags?: string[];
}

/** What axe reports about a page without frames, for which half the time is enough. */
export async function violationsOf(page: Page, { theme, tags }: Check) {
  if (page.frames().length > 1) throw new Error("The page has frames, which would not be checked.");
  // The builder loads axe twice for each check, which often takes longer than the check. A page keeps it.
  const isLoaded = await page.evaluate(`typeof axe === "object"`);
  const builder = new AxeBuilder({ page, ...(isLoaded ? { axeSource: "0" } : {}) }).setLegacyMode();
  const runOnly = theme === "dark" ? colourRules : tags;
  // Passed rules are counted, not described, which saves a third of the time.
  return (await builder.options({ resultTypes: ["violations"], ...(runOnly ? { runOnly } : {}) }).analyze()).violations;
}
