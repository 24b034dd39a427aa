import { expect, type Locator, type Page, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { chooseByKeys } from "./keyboard.ts";

let desk: Desk;
test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(() => desk.close());

/** Pastes as from a spreadsheet. */
async function paste(field: Locator, text: string) {
  await field.focus();
  await field.evaluate((box, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true }).click();

test("cells of a spreadsheet become keywords, people and related works, each with one step of undo (issue 17)", async ({
  browser,
}) => {
  const host = await desk.replica();
  const near = new HttpClient(host.url, host.guard.secret);
  const { id } = (await near.post("/api/records", { metadata: { title: "Pasted" } })).body;
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const metadata = async () => (await near.get(`/api/records/${id}/draft`)).body.metadata;
  const listed = (key: string, of: (entry: never) => unknown) => async () => ((await metadata())[key] ?? []).map(of);

  await test.step("keywords", async () => {
    const words = listed("subjects", ({ subject }: { subject: string }) => subject);
    const box = page.getByRole("combobox", { name: "Add a subject or keyword" });
    await box.fill("typed");
    await paste(box, "ocean\tsea ice\r\ntides; waves\tocean\r\n");
    await expect.poll(words).toEqual(["ocean", "sea ice", "tides", "waves"]);
    await expect(box).toHaveValue("typed");
    await box.fill("");
    await undo(page);
    await expect.poll(words).toEqual([]);
  });

  await test.step("keywords over selected text take its place, and close its suggestions", async () => {
    const words = listed("subjects", ({ subject }: { subject: string }) => subject);
    const box = page.getByRole("combobox", { name: "Add a subject or keyword" });
    await box.fill("zzqq");
    await expect(page.getByText("No suggestions. You can keep typing.")).toBeVisible();
    await box.selectText();
    await paste(box, "gulf\tstrait");
    await expect.poll(words).toEqual(["gulf", "strait"]);
    await expect(box).toHaveValue("");
    await expect(page.getByText("No suggestions. You can keep typing.")).toHaveCount(0);
    await undo(page);
    await expect.poll(words).toEqual([]);
  });

  await test.step("people", async () => {
    const people = listed("creators", ({ person_or_org: one, affiliations }: never) => [one, affiliations]);
    await page.getByRole("button", { name: "Add a person" }).first().click();
    const box = page.getByRole("combobox", { name: "Family name" });
    await paste(box, "Hopper\tGrace\tUS Navy\t0000-0002-1825-0097\r\nLovelace\tAda\t\t\r\n");
    await page.getByRole("button", { name: "Add 2 people" }).click();
    await expect.poll(people).toMatchObject([
      [
        { family_name: "Hopper", given_name: "Grace", identifiers: [{ identifier: "0000-0002-1825-0097" }] },
        [{ name: "US Navy" }],
      ],
      [{ family_name: "Lovelace", given_name: "Ada" }, undefined],
    ]);
    await undo(page);
    await expect.poll(people).toEqual([]);
  });

  await test.step("related works, before and after their relation is chosen", async () => {
    const works = listed("related_identifiers", ({ identifier }: { identifier: string }) => identifier);
    const group = page.locator("details", { has: page.locator("summary").getByText("Related works", { exact: true }) });
    await group.locator("summary").click();
    const box = group.getByRole("textbox", { name: "Identifier" });
    await paste(box, "10.1234/a\tA title\r\n10.1234/b\tAnother\r\n");
    await expect(box).toHaveValue("10.1234/a; 10.1234/b");
    await chooseByKeys(group.getByRole("combobox", { name: "Relation" }), "Cites", "Cites");
    await group.getByRole("button", { name: "Add", exact: true }).click();
    await expect.poll(works).toEqual(["10.1234/a", "10.1234/b"]);
    await paste(box, "10.1234/b\r\n10.1234/c\r\n10.1234/d");
    await expect.poll(works).toEqual(["10.1234/a", "10.1234/b", "10.1234/c", "10.1234/d"]);
    await undo(page);
    await expect.poll(works).toEqual(["10.1234/a", "10.1234/b"]);
  });

  await test.step("references: many lines at once are taken, and the same lines again add nothing", async () => {
    const references = listed("references", ({ reference }: { reference: string }) => reference);
    const group = page.locator("details", { has: page.locator("summary").getByText("References", { exact: true }) });
    await group.locator("summary").click();
    const box = group.getByRole("textbox", { name: "Reference" });
    const lines = Array.from({ length: 300 }, (_, n) => `Author ${n}, ${"a title of some length ".repeat(4)}${n}`);
    await paste(box, lines.join("\r\n"));
    await expect.poll(references).toHaveLength(300);
    await expect(page.getByText("The pasted text has")).toHaveCount(0);
    await paste(box, [...lines, "Another author"].join("\n"));
    await expect.poll(references).toHaveLength(301);
    await undo(page);
    await undo(page);
    await expect.poll(references).toEqual([]);
  });
  expect(faults).toEqual([]);
  await context.close();
});

test("a paste of megabytes into a line is refused in words, and the page goes on (issue 17)", async ({ browser }) => {
  const host = await desk.replica();
  const near = new HttpClient(host.url, host.guard.secret);
  const { id } = (await near.post("/api/records", { metadata: { title: "Pasted" } })).body;
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const withSuggestions = page.getByRole("combobox", { name: "Add a subject or keyword" });
  for (const [field, max] of [
    [page.getByRole("textbox", { name: /^Title/ }), "20,000"],
    [page.getByRole("textbox", { name: /^Version/ }), "20,000"],
    [withSuggestions, "8,192"],
  ] as const) {
    const before = await field.inputValue();
    await paste(field, "water ".repeat(1_000_000));
    const refusal = `The pasted text has 6,000,000 characters. This field takes up to ${max} at once.`;
    await expect(field).toHaveAccessibleDescription(new RegExp(refusal));
    await expect(field).toHaveValue(before);
    await field.press("x");
    await expect(page.getByText(refusal)).toHaveCount(0);
  }
  await withSuggestions.fill("");
  await paste(withSuggestions, Array.from({ length: 9000 }, (_, at) => `word ${at + 1}`).join("\n"));
  const chips = page.getByRole("list", { name: "Subjects and keywords" }).getByRole("listitem");
  await expect(chips).toHaveCount(201);
  await chips
    .nth(0)
    .getByRole("button", { name: /^Show 200 earlier of 9,?000$/ })
    .click();
  await expect(chips).toHaveCount(401);
  // Twenty thousand keywords would stop the page for a quarter of a minute.
  await paste(withSuggestions, "water\n".repeat(20_000));
  await expect(withSuggestions).toHaveAccessibleDescription(/The pasted text has 120,000 characters/);
  expect(faults).toEqual([]);
  await context.close();
});

test("a search field takes as much as the API reads (issue 17)", async ({ browser }) => {
  const host = await desk.replica();
  const { page, context, faults } = await openWindow(browser, host, { path: "/" });
  const box = page.getByRole("searchbox").first();
  await box.focus();
  await page.keyboard.insertText("Wasserstände ".repeat(2000));
  expect((await box.inputValue()).length).toBe(8192);
  await box.press("Enter");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await expect(page.getByText("This search isn’t valid")).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});
