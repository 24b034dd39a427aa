import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { addFile, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { picture } from "../support/pictures.ts";
import { Desk, openWindow } from "./desk.ts";
import { hostileFiles } from "./preview-samples.ts";
import { previewFiles } from "./samples.ts";

let desk: Desk;
let replica: RunningReplica;
let draft: string;
let record: string;

async function given(client: HttpClient): Promise<string> {
  const metadata = {
    title: "Things to look at",
    resource_type: { id: "dataset" },
    publication_date: "2024",
    publisher: "Institute",
    creators: [{ person_or_org: { type: "personal", family_name: "Okonkwo", given_name: "Adaeze" } }],
  };
  const { body } = await client.post("/api/records", { files: { enabled: true }, metadata });
  const files = {
    ...previewFiles,
    ...hostileFiles,
    "large.txt": Buffer.from(`${"a line of a long log\n".repeat(200_000)}THE END\n`),
    "scan.tiff": await picture(60, 40, "tiff"),
    "page 1 (50 %).TIF": await picture(30, 20, "tiff"),
    "broken.tiff": Buffer.from("II*\0 no picture follows"),
    "heavy.md": Buffer.from("_a_ ".repeat(40_000)),
    "large.csv": Buffer.from(`day,value\n${"2024-01-01,12.5\n".repeat(100_000)}`),
  };
  const path = `/api/records/${body.id}/draft/files`;
  await client.post(
    path,
    Object.keys(files).map((key) => ({ key })),
  );
  for (const [key, bytes] of Object.entries(files)) {
    const at = `${path}/${encodeURIComponent(key)}`;
    await client.putBytes(`${at}/content`, bytes);
    await client.post(`${at}/commit`);
  }
  return body.id;
}

test.beforeAll(async () => {
  desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  replica = await desk.replica(karin);
  draft = await given(new HttpClient(replica.url, replica.guard.secret));
  record = await given(karin.server);
  const { status, text } = await karin.server.post(`/api/records/${record}/draft/actions/publish`);
  expect(status, text).toBe(202);
});
test.afterAll(() => desk.close());

/** Closes a preview. A press that comes before the row has the focus back is lost. */
async function leave(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row", { name })).toBeFocused();
}

const look = (page: Page, name: string) => page.getByRole("button", { name: `Preview ${name}`, exact: true }).click();

test("tables, trees, Markdown, texts and pictures are shown without violating the content security policy (ux 1, preview)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica);
  await page.goto(`${replica.url}/records/${record}`);

  await look(page, "stations.csv");
  const table = page.getByRole("table", { name: "stations.csv" });
  await expect(table.getByRole("columnheader", { name: "station" })).toBeVisible();
  await expect(page.getByText("3,000 rows, 4 columns")).toBeVisible();
  expect(await table.getByRole("row").count()).toBeLessThan(80);
  await table.locator("..").focus();
  // Chromium now and then drops the scrolling of a key while a page is busy; its user presses again.
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(table.getByRole("rowheader", { name: "3000", exact: true })).toBeVisible({ timeout: 5000 });
  }).toPass();

  await look(page, "settings.json");
  await expect(page.getByText("3 items")).toBeVisible();
  await expect(page.getByText('"deep"')).toBeHidden();
  await page.getByText("more", { exact: true }).click();
  await expect(page.getByText('"deep"')).toBeVisible();

  await look(page, "NOTES.md");
  await expect(page.getByRole("heading", { name: "Field notes" })).toBeVisible();
  await expect(page.getByText("<script>alert(1)</script>")).toBeVisible();
  await expect(page.getByRole("link", { name: "evil" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Where" })).toBeVisible();
  await expect(page.getByText("*as measured*")).toBeVisible();
  await page.getByText("Text", { exact: true }).click();
  await expect(page.getByText("# Field notes")).toBeVisible();

  await look(page, "heavy.md");
  await expect(page.getByText("The rest of this text is not shown here.", { exact: false })).toBeVisible();

  await look(page, "dot.png");
  await expect(page.getByRole("img", { name: "dot.png" })).toHaveJSProperty("complete", true);
  await page.getByRole("button", { name: "Actual size" }).click();
  await expect(page.getByRole("button", { name: "Fit to the page" })).toBeVisible();

  expect(faults).toEqual([]);
  await context.close();
});

test("a TIFF is drawn by the host, in a record and a draft; a broken one says that there is no preview (app day: previews)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica);
  const broken = "No preview for this type of file. Download it to open it.";
  await page.goto(`${replica.url}/records/${record}`);
  await look(page, "scan.tiff");
  await expect(page.getByRole("img", { name: "scan.tiff" })).toHaveJSProperty("naturalWidth", 60);
  await look(page, "page 1 (50 %).TIF");
  await expect(page.getByRole("img", { name: "page 1 (50 %).TIF" })).toHaveJSProperty("naturalWidth", 30);
  await look(page, "broken.tiff");
  await expect(page.getByText(broken)).toBeVisible();

  await page.goto(`${replica.url}/uploads/${draft}`);
  const open = async (name: string) => {
    const dialog = page.getByRole("dialog", { name });
    // Once in many runs a press just after a dialog has closed opens nothing; what this test shows is the picture.
    await expect(async () => {
      if (!(await dialog.isVisible())) await page.getByRole("button", { name, exact: true }).click({ timeout: 5000 });
      await expect(dialog).toBeVisible({ timeout: 5000 });
    }).toPass();
    return dialog;
  };
  const scan = await open("scan.tiff");
  await expect(scan.getByRole("img", { name: "scan.tiff" })).toHaveJSProperty("naturalWidth", 60);
  await leave(page, "scan.tiff");
  await expect((await open("broken.tiff")).getByText(broken)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("Next in a preview stays in it: archives are left out, and the buttons stay in place; numbers of JSON are shown as written (issue 17)", async ({
  browser,
}) => {
  const near = new HttpClient(replica.url, replica.guard.secret);
  const id = await givenDraft(near);
  await addFile(near, id, "ids.json", '{"id": 12345678901234567890, "far": 1e400, "exact": 2.50, "plain": 7}');
  await addFile(near, id, "pack.zip", "no archive");
  await addFile(near, id, "scan.tiff", await picture(600, 400, "tiff"));
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  await page.getByRole("button", { name: "ids.json", exact: true }).click();
  const numbers = page.getByRole("group", { name: "ids.json" });
  for (const [key, shown] of [
    ["id", "12345678901234567890"],
    ["far", "1e400"],
    ["exact", "2.50"],
    ["plain", "7"],
  ])
    await expect(numbers.getByText(`${key} ${shown}`, { exact: true })).toBeVisible();
  const next = page.getByRole("button", { name: "Next file" });
  const before = await next.boundingBox();
  await next.click();
  await expect(page.getByRole("img", { name: "scan.tiff" })).toHaveJSProperty("naturalWidth", 600);
  await expect(page.getByRole("button", { name: "Actual size" })).toBeVisible();
  await expect(page.getByText("2 of 2")).toBeVisible();
  await expect(next).toBeDisabled();
  expect(await next.boundingBox()).toEqual(before);
  expect(faults).toEqual([]);
  await context.close();
});

test("PDFs, notebooks, maps, code and Markdown are shown; nothing in them runs or loads (app H7)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (
      !request.url().startsWith(replica.url) &&
      !request.url().startsWith("data:") &&
      !request.url().startsWith("blob:")
    )
      foreign.push(request.url());
  });
  await page.goto(`${replica.url}/uploads/${draft}`);
  const open = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).click();
    return page.getByRole("dialog", { name });
  };

  const pdf = await open("paper.pdf");
  await expect(pdf.getByText("of 500 pages")).toBeVisible();
  await expect(pdf.getByText("Measured on page 1", { exact: true })).toBeAttached();
  expect(await pdf.locator("canvas").count()).toBeLessThan(10);
  await pdf.getByLabel("Page", { exact: true }).fill("400");
  await page.keyboard.press("Enter");
  await expect(pdf.getByText("Measured on page 400", { exact: true })).toBeAttached();
  await pdf.getByRole("button", { name: "Zoom in" }).click();
  await expect(pdf.getByText("125 %")).toBeVisible();
  await leave(page, "paper.pdf");

  const notebook = await open("analysis.ipynb");
  await expect(notebook.getByRole("heading", { name: "Drift of the buoys" })).toBeVisible();
  await expect(notebook.getByText("ValueError: no wind")).toBeVisible();
  await expect(notebook.getByRole("img", { name: "Output" })).toHaveJSProperty("naturalWidth", 1);
  await expect(notebook.getByText("An output of type text/html is not shown.")).toBeVisible();
  expect(await page.evaluate(() => CSS.highlights.get("code-keyword")?.size)).toBeGreaterThan(0);
  await leave(page, "analysis.ipynb");

  const map = await open("stations.geojson");
  await expect(map.getByText("1 has no valid geometry")).toBeVisible();
  await map.getByRole("button", { name: "Next feature" }).click();
  await expect(map.getByText("Buoy 4")).toBeVisible();
  await map.getByText("Tree", { exact: true }).click();
  await expect(map.getByText('"FeatureCollection"')).toBeVisible();
  await leave(page, "stations.geojson");

  const tasks = await open("TASKS.md");
  await expect(tasks.getByRole("checkbox", { name: "Done", exact: true })).toBeChecked();
  await expect(tasks.getByRole("img", { name: "A dot" })).toHaveJSProperty("complete", true);
  await expect(tasks.getByRole("link", { name: "the notes" })).toHaveAttribute("href", /files\/NOTES\.md\/content$/);
  await leave(page, "TASKS.md");

  // Arrow keys go to the next file of the list.
  await page.getByRole("row", { name: /drift\.py/ }).focus();
  await page.keyboard.press("Enter");
  const code = page.getByRole("dialog", { name: "drift.py" });
  await expect(code.getByText("def drift(speeds):")).toBeVisible();
  const place = Number((await code.getByText(/^\d+ of \d+$/).textContent())?.split(" ")[0]);
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("dialog").getByText(new RegExp(`^${place - 1} of`))).toBeVisible();

  expect(await page.evaluate(() => "attacked" in window)).toBe(false);
  expect(foreign).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

test("only the beginning of a large text is fetched (ux 1, preview)", async ({ browser }) => {
  const { page, context, faults } = await openWindow(browser, replica);
  await page.goto(`${replica.url}/uploads/${draft}`);
  await page.getByRole("button", { name: "More for large.txt" }).click();
  const [response] = await Promise.all([
    page.waitForResponse(/large\.txt\/content/),
    page.getByRole("menuitem", { name: "Preview" }).click(),
  ]);
  expect(response.status()).toBe(206);
  expect(Number(response.headers()["content-length"])).toBe(1024 * 1024);
  const dialog = page.getByRole("dialog", { name: "large.txt" });
  await expect(dialog.getByText("The first 1 MB of 4.2 MB are shown.")).toBeVisible();
  await expect(dialog.getByText("THE END")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "More for large.txt" })).toBeFocused();

  await page.getByRole("button", { name: "More for large.csv" }).click();
  await page.getByRole("menuitem", { name: "Preview" }).click();
  const table = page.getByRole("dialog", { name: "large.csv" });
  await expect(table.getByText(/^Rows 1–32,767, 2 columns · 0 bytes–524 kB of 1\.6 MB/)).toBeVisible();
  for (const _ of [1, 2, 3]) await table.getByRole("button", { name: "Next rows" }).click();
  await expect(table.getByText(/^Rows 98,\d+–100,000, 2 columns/)).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "value" })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("in the library, Space on a row previews it without leaving the list (ux 5)", async ({ browser }) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const row = page.getByRole("list", { name: "Records" }).getByRole("link", { name: /Things to look at/ });
  await row.first().focus();
  await page.keyboard.press("Space");
  const inspector = page.getByRole("complementary", { name: "Preview" });
  await inspector.getByRole("button", { name: /NOTES\.md/ }).click();
  await expect(inspector.getByRole("heading", { name: "Field notes" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(inspector).toBeHidden();
  await expect(row.first()).toBeFocused();
  expect(faults).toEqual([]);
  await context.close();
});
