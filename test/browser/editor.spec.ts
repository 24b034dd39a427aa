import { createHash } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, type Request, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { hold } from "./hold.ts";
import { chooseByKeys } from "./keyboard.ts";
import { takePictures } from "./picture.ts";

let desk: Desk;

test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(async () => {
  await desk.close();
});

const addFiles = async (page: Page, button: string, path: string) => {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: button }).click(),
  ]);
  await chooser.setFiles(path);
};
/** Moves the page below the focused box, as a notice above it does, until the move was drawn. */
const movePage = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    let scroller = document.activeElement.parentElement;
    while (scroller.scrollHeight <= scroller.clientHeight || getComputedStyle(scroller).overflowY === "visible")
      scroller = scroller.parentElement;
    scroller.addEventListener("scroll", () => requestAnimationFrame(() => requestAnimationFrame(resolve)), { once: true });
    scroller.scrollTop += scroller.scrollTop < 40 ? 40 : -40;
  })`);
const problems = (page: Page) => page.getByRole("region", { name: "Before publishing" });

/** Holds back the part of the upload that begins at this byte; resolves when it is asked for. */
async function holdPart(page: Page, name: string, beginBytes: number): Promise<Request> {
  const isHeld = (request: Request) => request.headers()["upload-offset"] === String(beginBytes);
  await page.route(`**/${name}/content`, (route) => (isHeld(route.request()) ? undefined : route.continue()));
  return page.waitForRequest(isHeld);
}

test("an upload can be paused and goes on after a reload with the same file; another one starts from its first byte (records 6.4.1; web 5, What is typed)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  const folder = await mkdtemp(join(tmpdir(), "carrel-upload-"));
  const [path, otherPath] = [join(folder, "scan.bin"), join(folder, "other.bin")];
  const other = Buffer.alloc(20_000_000, 8);
  await writeFile(path, Buffer.alloc(20_000_000, 7));
  await writeFile(otherPath, other);
  const part = 8 * 1024 * 1024;
  const pauseAndReload = async () => {
    await page.getByRole("button", { name: "Pause all" }).click();
    await expect(page.getByText("Paused")).toBeVisible();
    await page.reload();
    await expect(page.getByText("Interrupted")).toBeVisible();
    // After the reload only: a held part that is let go while the browser still cancels it would arrive.
    await page.unrouteAll();
  };
  const nextPart = () =>
    page.waitForRequest((request) => /^P(UT|ATCH)$/.test(request.method()) && /scan\.bin/.test(request.url()));
  await page.getByRole("button", { name: "New draft" }).first().click();
  await page.getByRole("textbox", { name: "Title" }).waitFor();
  const third = holdPart(page, "scan.bin", 2 * part);
  await addFiles(page, "Add files", path);
  await expect(page.getByRole("progressbar", { name: "scan.bin" })).toBeVisible();
  await third;
  await pauseAndReload();
  const second = holdPart(page, "scan.bin", part);
  const first = nextPart();
  await addFiles(page, "Choose the file again", otherPath);
  expect((await first).method()).toBe("PUT");
  await second;
  await expect(page.getByText("This is another file than before. It is sent from its beginning.")).toBeVisible();
  await pauseAndReload();
  await page.route("**/scan.bin/content", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.continue(),
  );
  await addFiles(page, "Choose the file again", otherPath);
  await expect(page.getByText("scan.bin: The upload was interrupted.")).toBeVisible();
  await page.unrouteAll();
  const resumed = nextPart();
  const committed = page.waitForResponse(/scan\.bin\/commit/);
  await page.getByRole("button", { name: "Resume all" }).click();
  expect((await resumed).headers()["upload-offset"]).toBe(String(part));
  await expect(page.getByText("1 file, 20 MB")).toBeVisible();
  const { checksum } = await (await committed).json();
  expect(checksum).toBe(`md5:${createHash("md5").update(other).digest("hex")}`);
  expect(faults).toEqual([]);
  await context.close();
});

test("a new draft starts with the focus in its title, also for what is typed before it is open, shows a long title whole and reads common forms of dates (app M23, M26, 17)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await expect(page.getByRole("button", { name: "New draft" }).first()).toBeVisible();
  const created = await hold(page, "POST", /\/api\/records$/);
  await page.keyboard.press("n");
  await expect.poll(() => created.count).toBe(1);
  await page.keyboard.type("n?");
  await created.release();
  const title = page.getByRole("textbox", { name: "Title" });
  await expect(title).toHaveValue("n?");
  await expect(title).toBeFocused();
  await title.clear();
  const heightPx = async () => (await title.boundingBox())?.height ?? 0;
  const oneLinePx = await heightPx();
  await page.keyboard.type("Salinity of the northern fjords. ");
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("Measured\nby drifting buoys, ".repeat(12).trim());
  await expect.poll(heightPx).toBeGreaterThan(2 * oneLinePx);
  await expect(title).toHaveValue(/^Salinity of the northern fjords\. Measured by drifting buoys, Measured by/);
  const date = page.getByRole("textbox", { name: "Publication date" });
  await date.fill("23.11.2026");
  await date.blur();
  await expect(date).toHaveValue("2026-11-23");
  expect(faults).toEqual([]);
  await context.close();
});

test("missing fields are listed; an entry leads to its field and disappears when it is filled in; Publish takes a double click (app 17)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText("Required", { exact: true }).first()).toBeVisible();
  await page.getByText("This record has no files").click();
  await page.getByRole("textbox", { name: "Publication date" }).fill("");
  await problems(page)
    .getByRole("button", { name: /Publication date/ })
    .click();
  const date = page.getByRole("textbox", { name: "Publication date" });
  await expect(date).toBeFocused();
  await page.keyboard.type("2024-13");
  await expect(problems(page)).toContainText("Please provide a valid date or interval.");
  await date.fill("2024-12");
  await page.getByRole("textbox", { name: "Title" }).fill("Core 12");
  const type = page.getByRole("combobox", { name: "Resource type" });
  await chooseByKeys(type, "softw", "Software");
  await type.press("Backspace");
  const list = page.getByRole("listbox", { name: "Resource type" });
  await expect(list.getByRole("option", { name: "Software", exact: true })).toBeVisible();
  await movePage(page);
  await expect(list.getByRole("option", { name: "Software", exact: true })).toBeVisible();
  await expect
    .poll(async () => {
      const [box, below] = [await type.boundingBox(), await list.boundingBox()];
      return Math.abs((below?.y ?? Number.NaN) - (box?.y ?? 0) - (box?.height ?? 0));
    })
    .toBeLessThan(16);
  await chooseByKeys(type, "softw", "Software");
  await page.getByRole("button", { name: "Paste a list" }).first().click();
  await page.getByRole("textbox", { name: "Names" }).fill("Okonkwo, Adaeze (CNR) 0000-0002-1825-0097\nPaolo Marchetti");
  await page.getByRole("button", { name: "Add 2 people" }).click();
  await expect(problems(page)).toContainText("Nothing is missing.");
  // The second press of a double click does not close what the first one opened.
  await page.getByRole("button", { name: "Publish", exact: true }).dblclick();
  await page.getByRole("dialog").getByRole("button", { name: "Publish once connected" }).click();
  await expect(page.getByText("Waiting to be published")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("creators are reordered by keyboard alone; undo restores the order (WCAG 2.5.7)", async ({ browser }) => {
  const { page, context } = await openWindow(browser, await desk.replica(), { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().click();
  await page.getByRole("button", { name: "Paste a list" }).first().click();
  await page.getByRole("textbox", { name: "Names" }).fill("A, Alpha; Beta, B\nGamma, C");
  await page.getByRole("button", { name: "Swap family and given name of A, Alpha" }).click();
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toContainText("Alpha, A");
  await page.getByRole("button", { name: "Add 3 people" }).click();
  const names = () => page.getByRole("grid", { name: "Creators" }).getByRole("row").allInnerTexts();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect.poll(names).toEqual(["Alpha, A", "Beta, B", "Gamma, C"]);
  await page.getByRole("button", { name: "More for Gamma, C" }).press("Enter");
  await page.getByRole("menuitem", { name: "Move up" }).press("Enter");
  await expect.poll(names).toEqual(["Alpha, A", "Gamma, C", "Beta, B"]);
  await expect(page.getByRole("row", { name: "Gamma, C" })).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(names).toEqual(["Alpha, A", "Beta, B", "Gamma, C"]);
  await expect(page.getByText(/Saved on this computer \d/)).toBeVisible();
  await page.reload();
  await expect.poll(names).toEqual(["Alpha, A", "Beta, B", "Gamma, C"]);
  await context.close();
});

test("the press that leaves a field is not lost: the field's problem moves the page once it has ended (ux 1)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  // Title and list of creators are both visible: the browser moves neither when a line is inserted between them.
  await page.setViewportSize({ width: 1280, height: 2000 });
  await page.getByRole("button", { name: "New draft" }).first().click();
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
  await page.getByRole("button", { name: "Paste a list" }).first().click();
  await expect(page.getByRole("textbox", { name: "Names" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.locator('[id="field-metadata.title"]').getByText("Required", { exact: true })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("resource types show their group, recommended licences come first, and no list covers the page (app M2, M3)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().click();
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
  const look = async (name: string) => {
    await takePictures(page, `editor-${name}`);
    const list = await page.locator('[data-trigger="ComboBox"]').boundingBox();
    expect(list?.height).toBeLessThanOrEqual(320);
  };
  await page.getByRole("combobox", { name: "Resource type" }).fill("other");
  await expect(
    page.getByRole("option", { name: "Other", exact: true }).filter({ hasText: "Publication" }),
  ).toBeVisible();
  await look("types");
  await page.getByRole("combobox", { name: "Resource type" }).fill("data");
  await expect(page.getByRole("option").first()).toHaveText("Dataset");
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Add a licence" }).click();
  await expect(page.getByRole("option").first()).toContainText("Creative Commons Attribution 4.0 International");
  await look("licences");
  expect(faults).toEqual([]);
  await context.close();
});

test("a pasted citation fills empty fields, and replaces others only when chosen (ux 1, import)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().click();
  await page.getByRole("textbox", { name: "Title" }).fill("My own title");
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Fill in from a citation" }).click();
  await page
    .getByRole("textbox", { name: "Citation" })
    .fill("@article{a, author={Okonkwo, Adaeze and Lindqvist, Karin}, title={Another}, year=2020, version={2}}");
  await page.getByRole("button", { name: "Fill in 4 fields" }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("My own title");
  await expect(page.getByRole("textbox", { name: "Publication date" })).toHaveValue("2020");
  await expect(page.getByRole("grid", { name: "Creators" }).getByRole("row")).toHaveText([/Okonkwo/, /Lindqvist/]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("textbox", { name: "Publication date" })).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  expect(faults).toEqual([]);
  await context.close();
});
