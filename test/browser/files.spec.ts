import { expect, type Page, test } from "@playwright/test";
import { addFile, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { dropFiles, file, givenFiles } from "./draft-files.ts";
import { keepMessages } from "./keep-messages.ts";
import { takePictures } from "./picture.ts";

let desk: Desk;

test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(async () => {
  await desk.close();
});

const undoInMessage = (page: Page) =>
  page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Undo" });

async function remove(page: Page, name: string) {
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect(page.getByText(`Removed ${name}`).last()).toBeVisible();
  await expect(file(page, name)).toHaveCount(0);
}

test("Undo in the message and in the draft restores a removed file, and Redo removes it again (app H2)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host, "core.csv", "notes.txt");
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const head = page.getByRole("main").locator("header");
  const undo = head.getByRole("button", { name: "Undo" });
  const redo = head.getByRole("button", { name: "Redo" });
  await expect(file(page, "core.csv")).toBeVisible();
  await keepMessages(page);
  await remove(page, "core.csv");
  await undoInMessage(page).click();
  await expect(file(page, "core.csv")).toBeVisible();
  await expect(undo).toBeDisabled();
  await remove(page, "core.csv");
  await undo.click();
  await expect(file(page, "core.csv")).toBeVisible();
  await redo.click();
  await expect(file(page, "core.csv")).toHaveCount(0);
  await undo.click();
  await expect(file(page, "core.csv")).toBeVisible();
  const { body } = await near.get(`/api/records/${id}/draft/files`);
  expect(body.entries.map(({ key }: { key: string }) => key)).toEqual(["core.csv", "notes.txt"]);
  expect(faults).toEqual([]);
  await context.close();
});

test("after a restart a removed file is restored from the history, under a free name (app H2)", async ({ browser }) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host, "core.csv", "notes.txt");
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await keepMessages(page);
  await remove(page, "core.csv");
  await page.reload();
  await addFile(near, id, "core.csv", "another one");
  await expect(file(page, "core.csv")).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  await keepMessages(page);
  await page.getByRole("button", { name: "Restore core.csv" }).click();
  await expect(page.getByText("Restored core (restored).csv")).toBeVisible();
  await expect(file(page, "core (restored).csv")).toBeVisible();
  await expect(file(page, "core.csv")).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore core.csv" })).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});

test("if the draft was discarded meanwhile, Undo says that the file is gone, and the page says why (app H2, 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host, "core.csv", "notes.txt");
  const { page, context } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await keepMessages(page);
  await remove(page, "core.csv");
  expect((await near.delete(`/api/records/${id}/draft`)).status).toBe(204);
  await undoInMessage(page).click();
  await expect(page.getByText(/cannot be restored: the draft was published/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "This draft was discarded", level: 2 })).toBeVisible();
  await context.close();
});

test("files whose names the host refuses are named, with codes for what cannot be seen, and hold up none of the others (issue 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const near = new HttpClient(host.url, host.guard.secret);
  const id = await givenDraft(near);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const deep = `${"a-long-folder/".repeat(20)}notes.txt`;
  // As a Mac stores the icon of a folder, and a name too long to be shown in its row.
  const names = ["Icon\r", "photo\u202egpj.exe", deep, "empty.txt", `${"long-".repeat(50)}.txt`];
  await page.getByText("Drop files or folders anywhere on this page").waitFor();
  await dropFiles(page, names);
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("3 files were not added");
  await expect(notice).toContainText("Icon[U+000D]: Not a valid file name.");
  // Shown as it is, the character would turn the rest of the sentence.
  await expect(notice).toContainText("photo[U+202E]gpj.exe: Not a valid file name.");
  await expect(notice).toContainText("notes.txt: Longer than maximum length 255.");
  await expect(file(page, "empty.txt")).toBeVisible();
  await expect
    .poll(async () =>
      (await near.get(`/api/records/${id}/draft/files`)).body.entries.map((one: { key: string; status: string }) => [
        one.key,
        one.status,
      ]),
    )
    .toEqual(names.slice(3).map((key) => [key, "completed"]));
  await takePictures(page, "files-refused");
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(notice).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});

test("a file whose name looks like another one's is asked about; of two with one name, none is lost (issue 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host, "M\u00fcller.csv");
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await expect(file(page, "M\u00fcller.csv")).toBeVisible();
  await dropFiles(page, ["Mu\u0308ller.csv", "a.txt", "a.txt"]);
  await expect(page.getByRole("dialog", { name: "A file with this name already exists" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Keep both" }).click();
  await expect
    .poll(async () =>
      (await near.get(`/api/records/${id}/draft/files`)).body.entries.map(({ key }: { key: string }) => key).sort(),
    )
    .toEqual(["M\u00fcller (2).csv", "M\u00fcller.csv", "a (2).txt", "a.txt"]);
  expect(faults).toEqual([]);
  await context.close();
});
