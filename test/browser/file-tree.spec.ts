import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { addFile, fileOf, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

let desk: Desk;
let replica: RunningReplica;
let near: HttpClient;

test.beforeAll(async () => {
  desk = await Desk.open();
  replica = await desk.replica();
  near = new HttpClient(replica.url, replica.guard.secret);
});
test.afterAll(() => desk.close());

async function openDraft(browser: Parameters<typeof openWindow>[0], keys: string[]) {
  const id = await givenDraft(near);
  for (const key of keys) await addFile(near, id, key, `content of ${key}`);
  const window = await openWindow(browser, replica, { path: `/uploads/${id}` });
  await expect(tree(window.page)).toBeVisible();
  const names = async () =>
    (await near.get(`/api/records/${id}/draft/files`)).body.entries.map(({ key }: { key: string }) => key);
  return { ...window, id, names };
}

const tree = (page: Page) => page.getByRole("treegrid", { name: "Files" });
const row = (page: Page, name: string) => tree(page).getByRole("row", { name, exact: true });

test("a dialog that a row's menu opened leaves the page where it is, also after one that was opened elsewhere; the next press on a name opens the file (app 17.8)", async ({
  browser,
}) => {
  const keys = ["notes.txt", "plan.txt", "scan.txt", "table.txt"];
  const { page, context, faults } = await openDraft(browser, keys);
  await page.getByRole("button", { name: "Paste a list" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Paste a list" })).toBeFocused();
  await page.getByRole("link", { name: /^Files/ }).click();
  for (const name of ["notes.txt", "plan.txt"]) {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(row(page, name)).toBeFocused();
    await expect(row(page, name)).toBeInViewport();
  }
  await page.getByRole("button", { name: "scan.txt", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "scan.txt" })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("by keys: folders open and close, files are selected, renamed, moved and removed, and undo brings them back (app M25)", async ({
  browser,
}) => {
  const keys = ["raw/a.txt", "raw/deep/b.txt", "notes.txt", "plan.txt"];
  const { page, context, faults, names } = await openDraft(browser, keys);
  const folder = row(page, "raw, folder, 2 files");
  await folder.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(folder).toHaveAttribute("aria-expanded", "false");
  await expect(row(page, "a.txt")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(row(page, "b.txt")).toHaveAttribute("aria-level", "3");

  await page.keyboard.press("F2");
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("raw");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("a/..");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByText("Not a valid file name.")).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("data");
  await page.keyboard.press("Enter");
  const renamed = row(page, "data, folder, 2 files");
  await expect(renamed).toBeFocused();
  await expect(renamed).toHaveAttribute("aria-expanded", "true");
  expect(await names()).toEqual(["data/a.txt", "data/deep/b.txt", "notes.txt", "plan.txt"]);

  await row(page, "notes.txt").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(page.getByText("2 files selected")).toBeVisible();
  await page.keyboard.press("Delete");
  await expect(page.getByText("Removed 2 files")).toBeVisible();
  expect(await names()).toEqual(["data/a.txt", "data/deep/b.txt"]);
  await page.keyboard.press("Control+z");
  const head = page.getByRole("main").locator("header");
  await expect(head.getByRole("button", { name: "Redo" })).toBeEnabled();
  expect(await names()).toEqual(["data/a.txt", "data/deep/b.txt", "notes.txt", "plan.txt"]);
  await page.keyboard.press("Control+z");
  await expect(row(page, "raw, folder, 2 files")).toBeVisible();
  await expect(head.getByRole("button", { name: "Undo" })).toBeDisabled();
  await expect(head.getByRole("button", { name: "Redo" })).toBeEnabled();
  expect(await names()).toEqual(keys);
  await page.keyboard.press("Control+y");
  await expect.poll(async () => (await names())[0]).toBe("data/a.txt");
  await row(page, "plan.txt").focus();
  await page.keyboard.press("Control+a");
  await expect(page.getByText("4 files selected")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("4 files selected")).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});

test("by mouse: Ctrl adds to the selection, files move to a new folder and by dragging, and Undo takes it back (app M25)", async ({
  browser,
}) => {
  const keys = ["a.txt", "b.txt", "c.txt", "raw/d.txt"];
  const { page, context, faults, names } = await openDraft(browser, keys);
  await row(page, "a.txt").click();
  await row(page, "c.txt").click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: "Move to a folder" }).click();
  await page.getByRole("combobox", { name: "Folder" }).fill("old");
  await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
  await expect(row(page, "old, folder, 2 files")).toHaveAttribute("aria-expanded", "true");
  expect(await names()).toEqual(["old/a.txt", "b.txt", "old/c.txt", "raw/d.txt"]);

  await row(page, "b.txt").dragTo(row(page, "raw, folder, 1 file"));
  await expect.poll(names).toEqual(["old/a.txt", "raw/b.txt", "old/c.txt", "raw/d.txt"]);
  await expect(row(page, "raw, folder, 2 files")).toBeVisible();
  const message = page.getByRole("region", { name: "Messages" });
  await message.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(names).toEqual(["old/a.txt", "b.txt", "old/c.txt", "raw/d.txt"]);

  await page.getByRole("button", { name: "Arrange files" }).click();
  await page.getByRole("menuitem", { name: "Sort by name" }).click();
  await expect.poll(names).toEqual(["old/a.txt", "old/c.txt", "raw/d.txt", "b.txt"]);
  await page.getByRole("searchbox", { name: "Filter files by name" }).fill("d.t");
  await expect(tree(page).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "More for raw", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("raw.zip");
  expect(faults).toEqual([]);
  await context.close();
});

test("a tree that fits does not scroll, so that files can be dragged up after a turn of the wheel; in a narrow window the filter has room beside a selection (issue 17)", async ({
  browser,
}) => {
  const { page, context, faults, names } = await openDraft(browser, ["raw/a.txt", "b.txt", "c.txt", "d.txt"]);
  await tree(page).hover();
  await page.mouse.wheel(0, 100);
  await row(page, "d.txt").dragTo(row(page, "raw, folder, 1 file"));
  await expect.poll(names).toEqual(["raw/a.txt", "b.txt", "c.txt", "raw/d.txt"]);
  await page.setViewportSize({ width: 390, height: 800 });
  await row(page, "b.txt").click();
  await expect(page.getByText("1 file selected")).toBeVisible();
  const box = await page.getByRole("searchbox", { name: "Filter files by name" }).boundingBox();
  expect(box?.width).toBeGreaterThan(150);
  expect(faults).toEqual([]);
  await context.close();
});

test("with a filter, a folder's removal takes the files that are shown, by key, button and menu; all selected ones go together, another filter selects no more, and a download says that it takes the whole folder (issue 17)", async ({
  browser,
}) => {
  const keys = ["raw/a1.txt", "raw/a2.txt", "raw/b1.txt", "raw/c1.txt", "raw/c2.txt", "raw/d1.txt", "top.txt"];
  const { page, context, faults, names } = await openDraft(browser, keys);
  const filter = page.getByRole("searchbox", { name: "Filter files by name" });
  await filter.fill("b1");
  await row(page, "raw, folder, 1 file").click();
  await expect(page.getByText("1 file selected")).toBeVisible();
  await page.keyboard.press("Delete");
  await expect.poll(names).toEqual(keys.filter((key) => key !== "raw/b1.txt"));

  await filter.fill("a");
  await row(page, "raw, folder, 5 files").click();
  await filter.fill("a1");
  await expect(page.getByText("1 file selected")).toBeVisible();
  await filter.fill("c");
  await row(page, "c1.txt").click();
  await page.keyboard.press("Control+a");
  await expect(page.getByText("2 files selected")).toBeVisible();
  await filter.fill("");
  await expect(page.getByText("2 files selected")).toBeVisible();
  await row(page, "c1.txt").focus();
  await page.keyboard.press("Delete");
  await expect.poll(names).toEqual(["raw/a1.txt", "raw/a2.txt", "raw/d1.txt", "top.txt"]);

  await filter.fill("d1");
  await page.getByRole("button", { name: "More for raw", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Download the whole folder" })).toBeVisible();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await expect(page.getByText("3 files")).toBeVisible();
  await page.getByRole("textbox", { name: "Name" }).fill("old");
  await page.keyboard.press("Enter");
  await expect.poll(names).toEqual(["old/a1.txt", "old/a2.txt", "old/d1.txt", "top.txt"]);
  await row(page, "d1.txt").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await expect.poll(names).toEqual(["old/a1.txt", "old/a2.txt", "top.txt"]);
  expect(faults).toEqual([]);
  await context.close();
});

for (const { pressed, says, left } of [
  { pressed: "b.txt", says: "3 files selected", left: ["raw/deep/b.txt"] },
  { pressed: "deep, folder, 2 files", says: "2 files selected", left: ["raw/deep/b.txt", "raw/deep/c.txt"] },
])
  test(`after Ctrl+A, Ctrl+press takes ${pressed} out with its folders or files, and Delete removes the others (issue 17)`, async ({
    browser,
  }) => {
    const keys = ["raw/a.txt", "raw/deep/b.txt", "raw/deep/c.txt", "notes.txt"];
    const { page, context, faults, names } = await openDraft(browser, keys);
    await row(page, "notes.txt").focus();
    await page.keyboard.press("Control+a");
    await row(page, pressed).click({ modifiers: ["Control"] });
    await expect(page.getByText(says)).toBeVisible();
    await expect(row(page, "raw, folder, 3 files")).toHaveAttribute("aria-selected", "false");
    await page.keyboard.press("Delete");
    await expect.poll(names).toEqual(left);
    expect(faults).toEqual([]);
    await context.close();
  });

test("an open preview shows the file that replaces its own, also of the same size, follows new names before and after that, and says that the file was removed (issue 17)", async ({
  browser,
}) => {
  const { page, context, faults, id } = await openDraft(browser, ["notes.txt", "plan.txt"]);
  await page.getByRole("button", { name: "notes.txt", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("content of notes.txt");
  const rename = [{ key: "notes.txt", new_key: "old.txt" }];
  expect((await near.post(`/api/records/${id}/draft/actions/files-rename`, rename)).status).toBe(200);
  await expect(page.getByRole("dialog", { name: "old.txt" })).toContainText("content of notes.txt");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "old.txt", exact: true }).click();
  await expect(dialog).toContainText("content of notes.txt");
  expect((await near.delete(fileOf(id, "old.txt"))).status).toBe(204);
  await expect(dialog).toContainText("This file was removed or renamed meanwhile.");
  await addFile(near, id, "old.txt", "CONTENT OF NOTES.TXT");
  await expect(dialog).toContainText("CONTENT OF NOTES.TXT");
  const again = [{ key: "old.txt", new_key: "new.txt" }];
  expect((await near.post(`/api/records/${id}/draft/actions/files-rename`, again)).status).toBe(200);
  await expect(page.getByRole("dialog", { name: "new.txt" })).toContainText("CONTENT OF NOTES.TXT");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});
