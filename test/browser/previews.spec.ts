import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
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
    "large.txt": Buffer.from(`${"a line of a long log\n".repeat(200_000)}THE END\n`),
    "heavy.md": Buffer.from("_a_ ".repeat(40_000)),
    "large.csv": Buffer.from(`day,value\n${"2024-01-01,12.5\n".repeat(100_000)}`),
  };
  const path = `/api/records/${body.id}/draft/files`;
  await client.post(
    path,
    Object.keys(files).map((key) => ({ key })),
  );
  for (const [key, bytes] of Object.entries(files)) {
    await client.putBytes(`${path}/${key}/content`, bytes);
    await client.post(`${path}/${key}/commit`);
  }
  return body.id;
}

test.beforeAll(async () => {
  desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  replica = await desk.replica(karin);
  draft = await given(new HttpClient(replica.url, replica.door.secret));
  record = await given(karin.server);
  const { status, text } = await karin.server.post(`/api/records/${record}/draft/actions/publish`);
  expect(status, text).toBe(202);
});
test.afterAll(() => desk.close());

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
  await page.keyboard.press("End");
  await expect(table.getByRole("rowheader", { name: "3000", exact: true })).toBeVisible();

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

  await look(page, "paper.pdf");
  await expect(page.getByRole("link", { name: "Open PDF in a new window" })).toHaveAttribute(
    "href",
    /files\/paper\.pdf\/content$/,
  );
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

  await page.getByRole("button", { name: "More for large.csv" }).click();
  await page.getByRole("menuitem", { name: "Preview" }).click();
  await expect(page.getByText("The first 65,535 rows, 2 columns · The first 1 MB of 1.6 MB are shown.")).toBeVisible();
  await page.getByRole("button", { name: "Show more rows" }).click();
  await expect(page.getByText("100,000 rows, 2 columns")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("in the library, Space on a row previews it without leaving the list (ux 5)", async ({ browser }) => {
  const { page, context, faults } = await openWindow(browser, replica);
  const row = page.getByRole("list", { name: "Records" }).getByRole("link", { name: /Things to look at/ });
  await row.first().focus();
  await page.keyboard.press("Space");
  const inspector = page.getByRole("dialog", { name: "Preview" });
  await inspector.getByRole("button", { name: /NOTES\.md/ }).click();
  await expect(inspector.getByRole("heading", { name: "Field notes" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(inspector).toBeHidden();
  await expect(row.first()).toBeFocused();
  expect(faults).toEqual([]);
  await context.close();
});
