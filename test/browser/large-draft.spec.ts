import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { countRenders, takeRenderCount } from "./render-count.ts";

let desk: Desk;
let replica: RunningReplica;
let near: HttpClient;

test.beforeAll(async () => {
  desk = await Desk.open();
  replica = await desk.replica();
  near = new HttpClient(replica.url, replica.door.secret);
});

test.afterAll(() => desk.close());

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ person_or_org: { type: "personal", family_name: `Person ${n}` } }));

const newDraft = async (creators: number): Promise<string> =>
  (await near.post("/api/records", { metadata: { title: "Ice", creators: people(creators) } })).body.id;

const creators = (page: Page) => page.getByRole("grid", { name: "Creators" });

/** More than are visible, and few compared with all. */
const mostRows = 60;

test("a key in the title renders none of 2,000 creators again, and the page holds few rows (app H5)", async ({
  browser,
}) => {
  const rendered: number[] = [];
  for (const count of [5, 2000]) {
    const { page, context } = await openWindow(browser, replica, { path: `/uploads/${await newDraft(count)}` });
    await countRenders(page);
    const title = page.getByRole("textbox", { name: "Title" });
    await title.press("End");
    await page.keyboard.press("s");
    await expect(page.getByText(/Saved on this computer \d/)).toBeVisible();
    await expect(creators(page)).toHaveAttribute("aria-rowcount", String(count));
    expect(await creators(page).getByRole("row").count()).toBeLessThan(mostRows);
    await takeRenderCount(page);
    await page.keyboard.press("x");
    await expect(title).toHaveValue("Icesx");
    rendered.push(await takeRenderCount(page));
    await context.close();
  }
  const [few = 0, many = 0] = rendered;
  expect(few).toBeGreaterThan(0);
  // The longer list shows more rows, and a row with its menu is about a hundred components.
  expect(many).toBeLessThan(few + 2000);
});

test("adding 500 people renders the visible ones alone; keys reach the last one (app H5, M18)", async ({ browser }) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${await newDraft(3)}` });
  await countRenders(page);
  await page.getByRole("button", { name: "Paste a list" }).first().click();
  const names = Array.from({ length: 500 }, (_, n) => `Added ${n}, A`).join("\n");
  await page.getByRole("textbox", { name: "Names" }).fill(names);
  const add = page.getByRole("button", { name: "Add 500 people" });
  await expect(add).toBeEnabled();
  expect(await page.getByRole("dialog").getByRole("listitem").count()).toBeLessThan(mostRows);
  await takeRenderCount(page);
  await add.click();
  await expect(creators(page)).toHaveAttribute("aria-rowcount", "503");
  await expect(page.getByRole("dialog")).toBeHidden();
  // Each of the 500 list entries costs a few components, a visible row about a hundred.
  expect(await takeRenderCount(page)).toBeLessThan(500 * 8 + mostRows * 200);
  expect(await creators(page).getByRole("row").count()).toBeLessThan(mostRows);
  await creators(page).getByRole("row", { name: "Person 0" }).focus();
  await page.keyboard.press("End");
  const last = creators(page).getByRole("row", { name: "Added 499, A" });
  await expect(last).toBeFocused();
  await expect(last).toHaveAttribute("aria-rowindex", "503");
  await page.getByRole("button", { name: "More for Added 499, A" }).click();
  await page.getByRole("menuitem", { name: "Move up" }).press("Enter");
  await expect(last).toHaveAttribute("aria-rowindex", "502");
  await expect(last).toBeFocused();
  expect(faults).toEqual([]);
  await context.close();
});
