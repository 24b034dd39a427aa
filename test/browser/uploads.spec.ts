import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { givenDraft } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { dropFiles, file, files, givenFiles } from "./draft-files.ts";
import { hold } from "./hold.ts";
import { takePicture } from "./picture.ts";
import { openSeat } from "./seats.ts";

let desk: Desk;

test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(async () => {
  await desk.close();
});

const part = 8 * 1024 * 1024;
/** Drops a file of one letter. */
const dropLetters = (page: Page, name: string, letter: string, bytes: number) =>
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
  const stored = page.waitForResponse(/\/c\.txt\/commit$/);
  await dropLetters(page, "c.txt", "c", 5);
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  await stored;
  await page.getByRole("main").locator("header").getByRole("button", { name: "Undo" }).click();
  await expect(file(page, "c (restored).txt")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("a file with a name of the greatest length is asked about in the window, and kept beside the first (issue 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const name = (letters: number, end: string) => `${"a".repeat(letters)}${end}`;
  const { id } = await givenFiles(host, name(251, ".txt"));
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await expect(file(page, name(251, ".txt"))).toBeVisible();
  await dropFiles(page, [name(251, ".txt")]);
  const dialog = page.getByRole("dialog", { name: /already exist/ });
  const [inner, outer] = [await dialog.locator("code").boundingBox(), await dialog.boundingBox()];
  expect(inner?.width).toBeLessThan(outer?.width ?? 0);
  await dialog.getByRole("button", { name: "Keep both" }).click();
  await expect(file(page, name(247, " (2).txt"))).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("a file that replaces one during its upload is stored alone (issue 17)", async ({ browser }) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  await page.getByText("Drop files or folders anywhere on this page").waitFor();
  const old = await stopPart(page, 2 * part);
  await dropLetters(page, "core.bin", "a", 3 * part);
  await old.stopped;
  const next = await stopPart(page, part);
  await dropLetters(page, "core.bin", "b", 3 * part);
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
  const one = await stopPart(page, part);
  await dropLetters(page, "core.bin", "a", 3 * part);
  await one.stopped;
  const other = await context.newPage();
  const two = await stopPart(other, part);
  await other.goto(page.url());
  const choosing = other.waitForEvent("filechooser");
  await other.getByRole("button", { name: "Choose the file again" }).click();
  await (await choosing).setFiles(await desk.file("core.bin", Buffer.alloc(part + 5, "b")));
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
  await dropLetters(page, "raw/core.bin", "a", 2 * part + 5);
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

test("a window that closes during an upload asks before, on a desk too: leaving would end it (issue 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const area = page.getByText("Drop files or folders anywhere on this page");
  // Browsers ask only on pages that the user has touched.
  await area.click();
  const held = await stopPart(page, part);
  await dropLetters(page, "core.bin", "c", part + 5);
  await held.stopped;
  const [question] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  held.goOn();
  await expect.poll(storedFile(near, id, "core.bin")).toEqual({ bytes: part + 5, letters: "c" });
  // After it, the window closes without a question.
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await Promise.all([page.waitForEvent("close"), page.close({ runBeforeUnload: true })]);
  expect(faults).toEqual([]);
  await context.close();
});

test("a file that changes on the disk during its upload says so, and replaces itself when it is added again (issue 17)", async ({
  browser,
}, { outputDir }) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host);
  const { page, context } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const path = join(outputDir, "core.bin");
  await mkdir(outputDir, { recursive: true });
  await writeFile(path, Buffer.alloc(2 * part, "a"));
  const choose = async () => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).click();
    await (await choosing).setFiles(path);
  };
  const upload = await stopPart(page, part);
  await choose();
  await upload.stopped;
  await writeFile(path, Buffer.alloc(part + 5, "b"));
  upload.goOn();
  await expect(page.getByText(/^core\.bin: This file can no longer be read: it was changed, moved/)).toBeVisible();
  await takePicture(page, "uploads-changed");
  await choose();
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  await expect.poll(storedFile(near, id, "core.bin")).toEqual({ bytes: part + 5, letters: "b" });
  await context.close();
});

test("a file dropped on a draft that has no files unticks that, and is added (issue 17)", async ({ browser }) => {
  const host = await desk.replica();
  const { near, id } = await givenFiles(host);
  const path = `/api/records/${id}/draft`;
  expect((await near.put(path, { metadata: {}, files: { enabled: false } })).status).toBe(200);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const none = page.getByRole("checkbox", { name: "This record has no files" });
  await expect(none).toBeChecked();
  await dropFiles(page, ["a.txt"]);
  await expect(file(page, "a.txt")).toBeVisible();
  await expect(none).toHaveCount(0);
  expect((await near.get(path)).body.files.enabled).toBe(true);
  expect(faults).toEqual([]);
  await context.close();
});

test("the answers to the last part and to the commit are lost: nothing is sent again (issue 17)", async ({
  browser,
}) => {
  const ada = await desk.person("ada", "Ada Mohr");
  const id = await givenDraft(ada.server);
  const { page, go, context, faults } = await openSeat(browser, desk, ada, "server");
  await go(`/uploads/${id}`);
  await page.getByText("Drop files or folders anywhere on this page").waitFor();
  const sent: string[] = [];
  const lost = new Set<string>();
  await page.route(/core\.bin\/(content|commit)$/, async (route) => {
    const request = route.request();
    const name = `${request.method()} ${request.headers()["upload-complete"] ?? ""}`;
    sent.push(name);
    const isLost = ["PATCH ?1", "POST "].includes(name) && !lost.has(name);
    if (!isLost) return route.continue();
    lost.add(name);
    await route.fetch();
    await route.abort();
  });
  await dropLetters(page, "core.bin", "a", part + 1);
  await expect.poll(storedFile(ada.server, id, "core.bin")).toEqual({ bytes: part + 1, letters: "a" });
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  expect(sent).toEqual(["PUT ?0", "PATCH ?1", "HEAD ", "POST ", "POST "]);
  expect(faults).toEqual([]);
  await context.close();
});
