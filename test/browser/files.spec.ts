import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { addFile, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { hold } from "./hold.ts";

let desk: Desk;

test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(async () => {
  await desk.close();
});

async function givenFiles(host: RunningReplica, ...keys: string[]) {
  const near = new HttpClient(host.url, host.guard.secret);
  const id = await givenDraft(near);
  for (const key of keys) await addFile(near, id, key, `content of ${key}`);
  return { near, id };
}

const files = (page: Page) => page.getByRole("treegrid", { name: "Files" });
const file = (page: Page, name: string) => files(page).getByText(name, { exact: true });
const undoInMessage = (page: Page) =>
  page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Undo" });
/** Messages stay until they are closed, so that a slow machine sees them. */
const keepMessages = (page: Page) =>
  page.evaluate(`(() => {
    const plain = window.setTimeout;
    window.setTimeout = (work, ms, ...rest) => (ms === 6000 ? 0 : plain(work, ms, ...rest));
  })()`);
/** Drops empty files on the page. */
const dropFiles = (page: Page, names: string[]) =>
  page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    for (const name of dropped) dataTransfer.items.add(new File([], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, names);
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

test("files whose names the host refuses are named, and hold up none of the others (issue 17)", async ({ browser }) => {
  const host = await desk.replica();
  const near = new HttpClient(host.url, host.guard.secret);
  const id = await givenDraft(near);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const deep = `${"a-long-folder/".repeat(20)}notes.txt`;
  // As a Mac stores the icon of a folder, and a name too long to be shown in its row.
  const names = ["Icon\r", deep, "empty.txt", `${"long-".repeat(50)}.txt`];
  await page.getByText("Drop files or folders anywhere on this page").waitFor();
  await dropFiles(page, names);
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("2 files were not added");
  await expect(notice).toContainText(/Icon\s*: Not a valid file name\./);
  await expect(notice).toContainText("notes.txt: Longer than maximum length 255.");
  await expect(file(page, "empty.txt")).toBeVisible();
  await expect
    .poll(async () =>
      (await near.get(`/api/records/${id}/draft/files`)).body.entries.map((one: { key: string; status: string }) => [
        one.key,
        one.status,
      ]),
    )
    .toEqual(names.slice(2).map((key) => [key, "completed"]));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: test.info().outputPath(`refused-${colorScheme}.png`) });
  }
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
      (await near.get(`/api/records/${id}/draft/files`)).body.entries.map(({ key }: { key: string }) => key),
    )
    .toEqual(["M\u00fcller.csv", "a.txt", "a (2).txt", "M\u00fcller (2).csv"]);
  expect(faults).toEqual([]);
  await context.close();
});

const part = 8 * 1024 * 1024;
/** Drops a file that is sent in several parts, all of one letter. */
const dropLarge = (page: Page, name: string, letter: string, bytes: number) =>
  page.evaluate(
    ([key, code, size]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(size).fill(code)], key));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, letter.charCodeAt(0), bytes] as const,
  );

/** Stops the part of a file at an offset before it reaches the host. @returns lets it go on */
async function stopPart(page: Page, offset: number) {
  const gate = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  await page.route(/\/content$/, async (route) => {
    const at = (await route.request().allHeaders())["upload-offset"];
    if (at === String(offset)) {
      stopped.resolve();
      await gate.promise;
    }
    // The page may have given the call up.
    await route.fallback().catch(() => undefined);
  });
  return { stopped: stopped.promise, goOn: gate.resolve };
}

/** The stored file: its size, and the letters in it. */
const storedFile = (near: HttpClient, id: string, key: string) => async () => {
  const { status, text } = await near.get(`/api/records/${id}/draft/files/${encodeURIComponent(key)}/content`);
  return status === 200 ? { bytes: text.length, letters: [...new Set(text)].join("") } : status;
};

test("files dropped again before the first drop is answered are asked about, and the new ones are added (issue 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await page.getByText("Drop files or folders anywhere on this page").waitFor();
  const first = await hold(page, "POST", /\/draft\/files$/);
  await dropFiles(page, ["a.txt", "b.txt"]);
  await dropFiles(page, ["b.txt", "c.txt"]);
  await dropFiles(page, ["a.txt"]);
  await expect.poll(() => first.count).toBe(1);
  await first.release();
  const dialog = page.getByRole("dialog", { name: /already exist/ });
  await expect(dialog.getByRole("listitem")).toHaveText(["b.txt", "a.txt"]);
  await dialog.getByRole("button", { name: "Keep both" }).click();
  const names = ["a.txt", "b.txt", "c.txt", "b (2).txt", "a (2).txt"];
  for (const name of names) await expect(file(page, name)).toBeVisible();
  await expect
    .poll(async () => (await near.get(`/api/records/${id}/draft/files`)).body.entries)
    .toEqual(names.map((key) => expect.objectContaining({ key, status: "completed" })));
  await dropFiles(page, ["c.txt"]);
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  // The entries of both drops, of the second names, and of the replacement.
  await expect.poll(() => first.count).toBe(4);
  await expect(file(page, "c.txt")).toBeVisible();
  await page.getByRole("main").locator("header").getByRole("button", { name: "Undo" }).click();
  await expect(file(page, "c (restored).txt")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("a file that replaces one during its upload is stored alone (issue 17)", async ({ browser }) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await page.getByText("Drop files or folders anywhere on this page").waitFor();
  const old = await stopPart(page, 2 * part);
  await dropLarge(page, "core.bin", "a", 3 * part);
  await old.stopped;
  const next = await stopPart(page, part);
  await dropLarge(page, "core.bin", "b", 3 * part);
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  await next.stopped;
  old.goOn();
  next.goOn();
  await expect.poll(storedFile(near, id, "core.bin")).toEqual({ bytes: 3 * part, letters: "b" });
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});

test("two windows upload different files under one name: one is stored, the other window says so (issue 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host);
  const { page, context } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await page.getByText("Drop files or folders anywhere on this page").waitFor();
  const one = await stopPart(page, 2 * part);
  await dropLarge(page, "core.bin", "a", 3 * part);
  await one.stopped;
  const other = await context.newPage();
  const two = await stopPart(other, part);
  await other.goto(page.url());
  const choosing = other.waitForEvent("filechooser");
  await other.getByRole("button", { name: "Choose the file again" }).click();
  const buffer = Buffer.alloc(part + 5, "b");
  await (await choosing).setFiles({ name: "core.bin", mimeType: "application/octet-stream", buffer });
  await two.stopped;
  one.goOn();
  await expect(page.getByText(/^core\.bin: Another window or another user is uploading/)).toBeVisible();
  two.goOn();
  await expect.poll(storedFile(near, id, "core.bin")).toEqual({ bytes: part + 5, letters: "b" });
  await context.close();
});

test("a folder is renamed during the upload of a file in it, which goes on (issue 17)", async ({ browser }) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host, "raw/notes.txt");
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const upload = await stopPart(page, part);
  await expect(files(page).getByText("raw")).toBeVisible();
  await dropLarge(page, "raw/core.bin", "a", 2 * part + 5);
  await upload.stopped;
  await page.getByRole("button", { name: "More for raw", exact: true }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("cores");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(files(page).getByText("cores")).toBeVisible();
  upload.goOn();
  await expect.poll(storedFile(near, id, "cores/core.bin")).toEqual({ bytes: 2 * part + 5, letters: "a" });
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});
