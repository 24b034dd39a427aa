import { expect, type Locator, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { addFile } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { countRenders, rendersOfKey, takeRenderCount } from "./render-count.ts";

let desk: Desk;
let replica: RunningReplica;
let near: HttpClient;

test.beforeAll(async () => {
  desk = await Desk.open();
  replica = await desk.replica();
  near = new HttpClient(replica.url, replica.guard.secret);
});

test.afterAll(() => desk.close());

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ person_or_org: { type: "personal", family_name: `Person ${n}` } }));

const newDraft = async (creators: number): Promise<string> =>
  (await near.post("/api/records", { metadata: { title: "Ice", creators: people(creators) } })).body.id;

const creators = (page: Page) => page.getByRole("grid", { name: "Creators" });

/** Whether a row is within the part of its list that is visible. */
async function isInside(list: Locator, row: Locator): Promise<boolean> {
  const [outer, inner] = [await list.boundingBox(), await row.boundingBox()];
  if (!outer || !inner) return false;
  return inner.y >= outer.y - 1 && inner.y + inner.height <= outer.y + outer.height + 1;
}

const rendersOfTitle = async (page: Page): Promise<number> => {
  await page.getByRole("textbox", { name: "Title" }).press("End");
  return rendersOfKey(page, "x");
};

/** More rows than are visible, but far fewer than the list has. */
const maxRows = 60;

test("a key in the title renders none of 2,000 creators again, and the page holds few rows (app H5)", async ({
  browser,
}) => {
  const rendered: number[] = [];
  for (const count of [5, 2000]) {
    const { page, context } = await openWindow(browser, replica, { path: `/uploads/${await newDraft(count)}` });
    await countRenders(page);
    await expect(creators(page)).toHaveAttribute("aria-rowcount", String(count));
    expect(await creators(page).getByRole("row").count()).toBeLessThan(maxRows);
    rendered.push(await rendersOfTitle(page));
    await context.close();
  }
  const [few = 0, many = 0] = rendered;
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(few + 1000);
});

test("adding 500 people renders the visible ones alone; keys reach the last one (app H5, M18)", async ({ browser }) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${await newDraft(3)}` });
  await countRenders(page);
  await page.getByRole("button", { name: "Paste a list" }).first().click();
  const names = Array.from({ length: 500 }, (_, n) => `Added ${n}, A`).join("\n");
  await page.getByRole("textbox", { name: "Names" }).fill(names);
  const add = page.getByRole("button", { name: "Add 500 people" });
  await expect(add).toBeEnabled();
  expect(await page.getByRole("dialog").getByRole("listitem").count()).toBeLessThan(maxRows);
  await takeRenderCount(page);
  await add.click();
  await expect(creators(page)).toHaveAttribute("aria-rowcount", "503");
  await expect(page.getByRole("dialog")).toBeHidden();
  // Each of the 500 costs the few components of an entry of the list, a visible row about a hundred.
  expect(await takeRenderCount(page)).toBeLessThan(500 * 8 + maxRows * 200);
  expect(await creators(page).getByRole("row").count()).toBeLessThan(maxRows);
  await creators(page).getByRole("row", { name: "Person 0" }).focus();
  await page.keyboard.press("End");
  const last = creators(page).getByRole("row", { name: "Added 499, A" });
  await expect(last).toBeFocused();
  await expect(last).toHaveAttribute("aria-rowindex", "503");
  await expect.poll(() => isInside(creators(page), last)).toBe(true);
  await page.getByRole("button", { name: "More for Added 499, A" }).click();
  await page.getByRole("menuitem", { name: "Move up" }).press("Enter");
  await expect(last).toHaveAttribute("aria-rowindex", "502");
  await expect(last).toBeFocused();
  expect(faults).toEqual([]);
  await context.close();
});

test("the page holds few rows of 1,000 files; a key in the title renders none of them again (app H5, M25)", async ({
  browser,
}) => {
  const rendered: number[] = [];
  for (const count of [20, 1000]) {
    const id = await newDraft(1);
    const keys = Array.from({ length: count }, (_, n) => ({ key: `part ${n % 10}/file ${n}.csv` }));
    for (let at = 0; at < count; at += 100)
      expect((await near.post(`/api/records/${id}/draft/files`, keys.slice(at, at + 100))).status).toBe(201);
    const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
    await countRenders(page);
    const files = page.getByRole("treegrid", { name: "Files" });
    await page.getByRole("button", { name: "Arrange files" }).click();
    await page.getByRole("menuitem", { name: "Open all folders" }).click();
    await expect(files.getByRole("row", { name: "file 0.csv" })).toBeVisible();
    expect(await files.getByRole("row").count()).toBeLessThan(maxRows);
    await files.getByRole("row").first().focus();
    await page.keyboard.press("End");
    const last = files.getByRole("row", { name: `file ${count - 1}.csv` });
    await expect(last).toBeFocused();
    await expect.poll(() => isInside(files, last)).toBe(true);
    rendered.push(await rendersOfTitle(page));
    await page.getByRole("searchbox", { name: "Filter files by name" }).fill(`file ${count - 1}`);
    await expect(files.getByRole("row")).toHaveCount(2);
    expect(faults).toEqual([]);
    await context.close();
  }
  const [few = 0, many = 0] = rendered;
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(few + 1000);
});

test("a letter or a file that arrives renders no other field of the form (app 17.1, 17.2)", async ({ browser }) => {
  const id = await newDraft(1);
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  await countRenders(page);
  await expect(creators(page)).toHaveAttribute("aria-rowcount", "1");
  const arrive = async (key: string): Promise<number> => {
    await expect.poll(() => takeRenderCount(page)).toBe(0);
    await addFile(near, id, key, "ice");
    await expect(page.getByRole("row", { name: key })).toContainText("3 bytes");
    return takeRenderCount(page);
  };
  await arrive("first.txt");
  const rendered = await arrive("second.txt");
  expect(rendered).toBeGreaterThan(0);
  // The list of files draws some 550 components, up to three times: entry, content and commit are three calls. The
  // fields of the form are more than 3,000 components.
  expect(rendered).toBeLessThan(2500);
  const ofLetter = await rendersOfTitle(page);
  // The field, the heading and the line that says whether it is saved.
  expect(ofLetter).toBeLessThan(60);
  expect(faults).toEqual([]);
  await context.close();
});
