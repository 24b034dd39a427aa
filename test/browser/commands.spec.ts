import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

let desk: Desk;
let replica: RunningReplica;
let kelp: string;

test.beforeAll(async () => {
  desk = await Desk.open();
  replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  const metadata = { title: "Kelp forests", resource_type: { id: "dataset" } };
  kelp = (await near.post("/api/records", { files: { enabled: false }, metadata })).body.id;
});
test.afterAll(() => desk.close());

const palette = (page: Page) => page.getByRole("dialog", { name: "Search and commands" });

/** Opens the palette with its shortcut and types into it. */
async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("searchbox")).toBeFocused();
  await page.keyboard.type(text);
}

/** Presses Enter on the marked entry of the palette. */
async function runEntry(page: Page, name: string | RegExp): Promise<void> {
  await expect(page.getByRole("menuitem", { name })).toHaveAttribute("data-focused");
  await page.keyboard.press("Enter");
  await expect(palette(page)).toBeHidden();
}

/** Presses `g` and a key until the page opens: under load, the second key may come too late. */
const goTo = (page: Page, key: string, address: RegExp) =>
  expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(address, { timeout: 5_000 });
  }).toPass();

test("the command palette finds commands, records and recently opened pages by keyboard alone (ux 1)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().waitFor();
  await typeInPalette(page, "kel");
  await page.getByRole("menuitem", { name: /Kelp forests/ }).waitFor();
  await expect(page.getByRole("menuitem", { name: /Search the library/ })).toHaveAttribute("data-focused");
  await page.keyboard.press("ArrowUp");
  await runEntry(page, /Kelp forests/);
  await expect(page).toHaveURL(new RegExp(`/uploads/${kelp}$`));
  await page.getByRole("heading", { name: "Kelp forests", level: 1 }).waitFor();
  await typeInPalette(page, "theme dark");
  await runEntry(page, "Theme: Dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await typeInPalette(page, "settings");
  await runEntry(page, /^Go to Settings/);
  await expect(page).toHaveURL(/settings$/);
  await page.goto(`${replica.url}/records/aaaaa-bbb11`);
  await page.getByRole("button", { name: "Go to the library" }).waitFor();
  const failed = (await page.title()).replace(" · Carrel", "");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("menuitem", { name: "Kelp forests" })).toBeVisible();
  // A page that could not be opened is none of the recent ones (issue 17).
  await expect(page.getByRole("menuitem", { name: failed })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  await typeInPalette(page, "forests of");
  await page.getByRole("menuitem", { name: "Search the library for “forests of”" }).click();
  await expect(page).toHaveURL(/\?q=forests\+of$/);
  expect(faults).toEqual([]);
  await context.close();
});

test("single-key shortcuts open pages, do nothing in text fields, and can be turned off (WCAG 2.1.4)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().waitFor();
  await goTo(page, "a", /activity$/);
  await goTo(page, "l", /\/me\/uploads$/);
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("ga");
  await expect(page.getByRole("searchbox")).toHaveValue("ga");
  await page.getByRole("searchbox").blur();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet.getByText("New draft")).toBeVisible();
  await page.keyboard.press("n");
  await expect(sheet).toBeVisible();
  await sheet.getByText("Single-key shortcuts").click();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeVisible();
  await expect(page).toHaveURL(/\?q=ga$/);
  expect(faults).toEqual([]);
  await context.close();
});

test("in a draft, Ctrl-Enter lists what a review still needs; Alt and an arrow change the section (ux 5, app M18)", async ({
  browser,
}) => {
  const { page, context } = await openWindow(browser, replica);
  await page.goto(`${replica.url}/uploads/${kelp}`);
  const title = page.getByRole("textbox", { name: "Title" });
  await title.focus();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Required", { exact: true }).first()).toBeVisible();
  await title.focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page.getByRole("region", { name: "People" }).locator(":focus")).toBeVisible();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page.getByRole("region", { name: "Basics" }).locator(":focus")).toBeVisible();
  const licence = page.getByRole("combobox", { name: "Add a licence" });
  await licence.focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page.getByRole("region", { name: "Visibility" }).locator(":focus")).toBeVisible();
  // One press of Tab leaves the list of sections (app M18).
  await page.getByRole("link", { name: "Basics" }).click();
  await page.keyboard.press("Tab");
  await expect(title).toBeFocused();
  await page.getByRole("link", { name: /Files/ }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("link", { name: /Basics/ })).toBeFocused();
  await context.close();
});
