import { expect, type Page, test } from "@playwright/test";
import { ZipFile } from "yazl";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { addFile, fileOf, fixtureBytes, givenDraft } from "../support/files.ts";
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

async function zipOf(...files: [name: string, text: string][]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of files) zip.addBuffer(Buffer.from(text), name, { compress: false });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const entry = (page: Page) => page.getByRole("region", { name: "Selected entry" });

test("the page of an archive shows the entry of its address again after a reload and the browser's Back, deep in folders and after the first thousand; an archive that was replaced shows what it has now (issue 17)", async ({
  browser,
}) => {
  const id = await givenDraft(near);
  const many = Array.from({ length: 1200 }, (_, n): [string, string] => [`many/row ${n}.txt`, `number ${n}`]);
  await addFile(near, id, "core.zip", await zipOf(["docs/deep/notes.txt", "first words"], ...many));
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}/files/core.zip` });
  await page.getByText("docs").dblclick();
  await page.getByText("deep", { exact: true }).dblclick();
  await page.getByRole("treeitem").filter({ hasText: "notes.txt" }).click();
  await expect(entry(page)).toContainText("first words");
  await page.reload();
  await expect(entry(page)).toContainText("first words");
  await expect(page.getByRole("treeitem", { selected: true })).toContainText("notes.txt");
  await page.getByRole("navigation").getByRole("link", { name: "Deep sea core" }).click();
  await expect(page.getByRole("treegrid", { name: "Files" })).toBeVisible();
  await page.goBack();
  await expect(entry(page)).toContainText("first words");

  expect((await near.delete(fileOf(id, "core.zip"))).status).toBe(204);
  await addFile(near, id, "core.zip", await zipOf(["docs/deep/notes.txt", "other words"], ...many));
  await expect(entry(page)).toContainText("other words");
  await page.goto(`${replica.url}/uploads/${id}/files/core.zip?path=many%2Frow%201199.txt`);
  await expect(entry(page)).toContainText("number 1199");
  expect(faults).toEqual([]);
  await context.close();
});

test("of two entries with one name the last opens, as unpacking would leave it; the other one says so, also among the found ones (issue 17)", async ({
  browser,
}) => {
  const id = await givenDraft(near);
  await addFile(near, id, "two.zip", await zipOf(["a.txt", "first"], ["a.txt", "second words"], ["b.txt", "b"]));
  const base = `/api/sync/drafts/${id}/files/two.zip/container`;
  const error = "Not opened: a later member has the same name.";
  expect((await near.get(base)).body.entries).toMatchObject([
    { key: "a.txt", size: 5, links: {}, metadata: { error } },
    { key: "a.txt", size: 12, links: { content: `${near.url}${base}/a.txt` } },
    { key: "b.txt" },
  ]);
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}/files/two.zip` });
  const rows = page.getByRole("treeitem").filter({ hasText: "a.txt" });
  await rows.last().click();
  await expect(entry(page)).toContainText("second words");
  await expect(page.getByRole("treeitem", { selected: true })).toHaveCount(1);
  await rows.first().click();
  await expect(entry(page)).toContainText(error);
  await page.getByRole("searchbox", { name: "Filter by name" }).fill("a.t");
  const ticks = page.getByRole("checkbox", { name: "Select a.txt for download" });
  await expect(ticks.first()).toBeDisabled();
  await expect(ticks.last()).toBeEnabled();
  expect(faults).toEqual([]);
  await context.close();
});

test("a file and a folder of one name both stand in the tree, are chosen, opened and downloaded (issue 17)", async ({
  browser,
}) => {
  const id = await givenDraft(near);
  const bytes = await zipOf(
    ["data.txt", "words of the file"],
    ["data.txt/a.md", "words in the folder"],
    ["z.txt", "z"],
  );
  await addFile(near, id, "both.zip", bytes);
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}/files/both.zip` });
  const [folder, file] = [page.getByRole("treeitem").nth(0), page.getByRole("treeitem").nth(1)];
  await file.click();
  await expect(entry(page)).toContainText("words of the file");
  await expect(page.getByRole("treeitem", { selected: true })).toHaveCount(1);
  await folder.click();
  await expect(entry(page).getByRole("link", { name: "Download folder as ZIP" })).toHaveAttribute(
    "href",
    /data\.txt\/$/,
  );
  await folder.dblclick();
  await page.getByRole("treeitem").filter({ hasText: "a.md" }).click();
  await expect(entry(page)).toContainText("words in the folder");
  await page.getByRole("tree").press("Home");
  await page.getByRole("tree").press(" ");
  await expect(page.getByRole("treeitem", { checked: true })).toHaveCount(2);
  await expect(page.getByRole("treeitem").filter({ hasText: "z.txt" })).not.toBeChecked();
  await page.goto(`${replica.url}/uploads/${id}/files/both.zip?path=data.txt`);
  await expect(entry(page)).toContainText("words of the file");
  expect(faults).toEqual([]);
  await context.close();
});

test("entries that cannot be opened say why, in the user's language (issue 17)", async ({ browser }) => {
  const id = await givenDraft(near);
  for (const name of ["parent.zip", "bad-crc.zip", "seven-zip-aes.zip"])
    await addFile(near, id, name, await fixtureBytes(name));
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await page.evaluate('localStorage.setItem("carrel.language", "de")');
  for (const [name, words] of [
    ["parent.zip?path=..%2Fevil.txt", "Nicht geöffnet: "],
    ["bad-crc.zip?path=stored.txt", "Die Datei ist nicht bis zum Ende lesbar"],
    ["seven-zip-aes.zip?path=readme.txt", "verschlüsselt"],
  ] as const) {
    await page.goto(`${replica.url}/uploads/${id}/files/${name}`);
    await expect(page.getByRole("main")).toContainText(words);
  }
  expect(faults).toEqual([]);
  await context.close();
});
