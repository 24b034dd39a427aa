import { expect, type Page, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

let desk: Desk;
const problems = (page: Page) => page.getByRole("region", { name: "Before publishing" });

test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(async () => {
  await desk.close();
});

test("a journal is written in its folded section, a wrong ISSN is named there, and only filled sections have a tick (app H8, M19)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().click();
  const journal = page.locator("details", { hasText: "Journal title" });
  await expect(journal).not.toHaveAttribute("open");
  const links = page.getByRole("navigation", { name: "Sections of the draft" }).getByRole("link");
  const details = links.filter({ hasText: "Publication details" });
  await expect(details.getByLabel("Complete")).toHaveCount(0);
  await journal.locator("summary").click();
  await page.getByLabel("Journal title").fill("Deep-Sea Letters");
  await expect(details.getByLabel("Complete")).toBeVisible();
  await page.getByLabel("ISSN").fill("0967-0638");
  await page.getByLabel("ISSN").blur();
  await expect(problems(page).getByText("Invalid ISSN identifier.")).toBeVisible();
  await expect(journal.getByText("Invalid ISSN identifier.")).toBeVisible();
  await page.getByLabel("ISSN").fill("0967-0637");
  await expect(problems(page).getByText("Invalid ISSN identifier.")).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel("Journal title")).toHaveValue("Deep-Sea Letters");
  expect(faults).toEqual([]);
  await context.close();
});

test("rare fields are folded with a line that tells what is in them; a value, a problem and a link unfold (app, look)", async ({
  browser,
}) => {
  const alone = await desk.replica();
  const near = new HttpClient(alone.url, alone.guard.secret);
  const metadata = {
    title: "Kelp forests",
    related_identifiers: [{ identifier: "10.1234/kelp", relation_type: { id: "cites" } }],
  };
  const { id } = (await near.post("/api/records", { metadata })).body;
  const { page, context, faults } = await openWindow(browser, alone, { path: `/uploads/${id}` });
  const group = (heading: string) =>
    page.locator("details", { has: page.locator("summary").getByText(heading, { exact: true }) });
  // Required fields stand before optional ones, and are never folded.
  const heads = page.locator("section[id^=section-]").getByRole("heading", { level: 2 });
  await expect(heads).toHaveText([
    ...["Files", "Basics", "People", "Licence and subjects", "Visibility"],
    ...["Related and funding", "Publication details", "Further details"],
  ]);
  await expect(page.getByRole("button", { name: "Add a person" }).filter({ visible: true })).toHaveCount(1);
  await expect(group("Related works")).toHaveAttribute("open");
  await group("Related works").locator("summary").click();
  await expect(group("Related works").locator("summary")).toContainText("Cites 10.1234/kelp");
  await expect(group("Related works")).not.toHaveAttribute("open");
  const funding = group("Funding");
  await expect(funding.locator("summary")).toContainText("Who paid for the work");
  await expect(funding).not.toHaveAttribute("open");
  // What is folded is not drawn, so the form opens sooner.
  await expect(group("Dates").locator("input")).toHaveCount(0);
  // A problem that the host reports opens its group.
  const wrong = { ...metadata, dates: [{ date: "yesterday", type: { id: "collected" } }] };
  await expect(group("Dates")).not.toHaveAttribute("open");
  expect((await near.put(`/api/records/${id}/draft`, { metadata: wrong })).status).toBe(200);
  await expect(group("Dates")).toHaveAttribute("open");
  await expect(group("Dates").locator("input").first()).toBeVisible();
  await page.goto(`${alone.url}/uploads/${id}#field-metadata.funding`);
  await expect(funding).toHaveAttribute("open");
  await expect(funding.locator(":focus")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("an added row is edited in its place, and moved by its buttons and by Ctrl with an arrow (app M22)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await page.getByRole("button", { name: "New draft" }).first().click();
  await page.locator("summary", { hasText: "References" }).click();
  const references = page.getByRole("group", { name: "References" });
  const box = references.getByRole("textbox", { name: "Reference" });
  for (const name of ["Ada 1843", "Bob 1901", "Cyd 1999"]) {
    await box.fill(name);
    await box.press("Enter");
  }
  const rows = references.getByRole("listitem");
  await expect(rows).toHaveText(["Ada 1843", "Bob 1901", "Cyd 1999"]);
  await references.getByRole("button", { name: "Edit Bob 1901" }).click();
  const edited = rows.getByRole("textbox", { name: "Reference" });
  await expect(edited).toBeFocused();
  await edited.fill("Bob 1902");
  await edited.press("Enter");
  await expect(rows).toHaveText(["Ada 1843", "Bob 1902", "Cyd 1999"]);
  await references.getByRole("button", { name: "Move Cyd 1999 up" }).click();
  await expect(rows).toHaveText(["Ada 1843", "Cyd 1999", "Bob 1902"]);
  const up = references.getByRole("button", { name: "Move Cyd 1999 up" });
  await expect(up).toBeFocused();
  await up.press("Control+ArrowDown");
  await expect(rows).toHaveText(["Ada 1843", "Bob 1902", "Cyd 1999"]);
  expect(faults).toEqual([]);
  await context.close();
});
