import { expect, type Locator, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { givenSample, smallZip } from "./samples.ts";

// Where the system chooses the colours, as in a contrast theme of Windows, the app's backgrounds are gone.

/** The distance between two grey levels of a colour of CSS and its background, from 0 to 255. */
const contrastOf = (place: Locator): Promise<number> =>
  place.evaluate((node) => {
    const levelsOf = (colour: string) => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      return (0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha;
    };
    const { color, backgroundColor } = getComputedStyle(node);
    return Math.abs(levelsOf(color) - levelsOf(backgroundColor));
  });

const outlineOf = (place: Locator): Promise<string> => place.evaluate((node) => getComputedStyle(node).outlineStyle);

for (const colorScheme of ["dark", "light"] as const)
  test(`with the colours of the system found words can be read, and what is chosen is seen: ${colorScheme} (issue 17)`, async ({
    browser,
  }) => {
    const desk = await Desk.open();
    const karin = await desk.person("karin", "Karin Lindqvist", ["superuser-access"]);
    const id = await givenSample(karin.server, 3, { isPublished: false, title: "Kelp forests" });
    const record = await givenSample(karin.server, 1, { zip: await smallZip() });
    const replica = await desk.replica(karin);
    const { page, context, faults } = await openWindow(browser, replica);
    await page.emulateMedia({ colorScheme, forcedColors: "active" });
    await page.goto(`${replica.url}/?q=kelp`);
    const mark = page.locator("mark", { hasText: /^Kelp$/ }).first();
    await expect(mark).toBeVisible();
    expect(await contrastOf(mark)).toBeGreaterThan(100);
    const rail = page.getByRole("navigation", { name: "Main navigation" });
    expect(await outlineOf(rail.locator("[aria-current=page]"))).toBe("solid");
    // The page's own name in the breadcrumb is no choice.
    expect(await outlineOf(page.locator("span[aria-current=page]"))).toBe("none");
    expect(await outlineOf(page.locator("label", { hasText: "My work" }))).toBe("solid");
    expect(await outlineOf(page.locator("label", { hasText: "Published" }))).toBe("none");

    await page.getByRole("button", { name: "Other ways to begin a draft" }).press("Enter");
    await page.keyboard.press("ArrowDown");
    const [focused, other] = [page.locator("[role=menuitem][data-focused]"), page.getByRole("menuitem").first()];
    await expect(focused).toHaveCount(1);
    expect(await outlineOf(focused)).toBe("solid");
    expect(await outlineOf(other)).toBe("none");

    await page.goto(`${replica.url}/uploads/${id}`);
    expect(await outlineOf(page.getByRole("tab", { name: "Status" }))).toBe("solid");
    expect(await outlineOf(page.getByRole("tab", { name: "History" }))).toBe("none");
    await page.goto(`${replica.url}/administration/people`);
    const parts = page.getByRole("navigation", { name: "Parts of the administration" });
    await expect(parts.getByRole("link", { name: "People" })).toHaveAttribute("aria-current", /.+/);
    expect(await outlineOf(parts.getByRole("link", { name: "People" }))).toBe("solid");
    expect(await outlineOf(parts.getByRole("link", { name: "Groups" }))).toBe("none");
    await page.goto(`${replica.url}/records/${record}/files/data/sst-1998-2003.zip?q=2001-1`);
    const [chosen, found] = [
      page.getByRole("button", { name: /2001-11\.csv/ }),
      page.getByRole("button", { name: /2001-12/ }),
    ];
    await chosen.click();
    expect(await contrastOf(chosen.locator("mark"))).toBeGreaterThan(100);
    await expect(chosen).toHaveAttribute("aria-current", "true");
    expect(await outlineOf(chosen)).toBe("solid");
    expect(await outlineOf(found)).toBe("none");
    expect(faults).toEqual([]);
    await context.close();
    await desk.close();
  });
