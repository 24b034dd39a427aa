import { createServer } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess } from "../support/process.ts";
import { Desk, newWindow, openWindow } from "./desk.ts";
import { keepMessages } from "./keep-messages.ts";

let desk: Desk;

test.beforeAll(async () => {
  desk = await Desk.open();
});

test.afterAll(() => desk.close());

const newDraft = (page: Page) => page.getByRole("button", { name: "New draft" }).first().click();
const isoDay = /^\d{4}-\d\d-\d\d$/;

test("a new draft begins with today, the user and a licence; settings change and turn off each (app M26)", async ({
  browser,
}) => {
  const karin = await desk.person("karin", "Karin Lindqvist");
  expect((await karin.server.put("/api/me", { orcid: "0000-0001-5109-3700" })).status).toBe(200);
  const { page, context, faults } = await openWindow(browser, await desk.replica(karin), { path: "/" });
  await newDraft(page);
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Publication date" })).toHaveValue(isoDay);
  await expect(page.getByRole("grid", { name: "Creators" }).getByRole("row")).toHaveText([
    /Lindqvist, Karin.*0000-0001-5109-3700/,
  ]);
  await expect(page.getByText("Creative Commons Attribution 4.0 International")).toBeVisible();

  await page.goto("/settings/drafts");
  await page.getByText("Today as publication date").click();
  const publisher = page.getByRole("textbox", { name: "Publisher" });
  await publisher.fill("Institute of Marine Sciences");
  await publisher.press("Enter");
  await page.getByRole("button", { name: "Edit name, ORCID and affiliation" }).click();
  await page.getByRole("textbox", { name: "ORCID" }).fill("0000-0002-1825-0097");
  await page.getByRole("textbox", { name: "ORCID" }).press("Enter");
  await expect(page.getByText("Lindqvist, Karin · 0000-0002-1825-0097")).toBeVisible();
  await page.goto("/");
  await newDraft(page);
  await expect(page.getByRole("textbox", { name: "Publisher" })).toHaveValue("Institute of Marine Sciences");
  await expect(page.getByRole("textbox", { name: "Publication date" })).toHaveValue("");
  await expect(page.getByRole("grid", { name: "Creators" }).getByRole("row")).toHaveText([/0000-0002-1825-0097/]);
  expect(faults).toEqual([]);
  await context.close();
});

const library = `@article{a, title={Ice in the fjord}, author={Okonkwo, Adaeze}, year=2020, note={Kept apart}}
@book{b, title={Salt}, year=2021}
@misc{c, title={Left out}}`;

test("several citations are listed, chosen ones become a draft each, and cancel leaves nothing (app M1)", async ({
  browser,
}) => {
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const total = async () => (await near.get("/api/user/records")).body.hits.total;
  await page.getByRole("button", { name: "Import citations" }).click();
  await page.getByRole("textbox", { name: "Citations" }).fill(library);
  await expect(page.getByRole("list", { name: "Works found" }).getByRole("checkbox")).toHaveCount(3);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await total()).toBe(0);

  await page.getByRole("button", { name: "Other ways to begin a draft" }).click();
  await page.getByRole("menuitem", { name: "Import citations" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  const ris = "TY  - RPRT\nTI  - Moorings\nER  - \n";
  await (await chooser).setFiles([
    { name: "mine.bib", mimeType: "text/plain", buffer: Buffer.from(library) },
    { name: "theirs.ris", mimeType: "text/plain", buffer: Buffer.from(ris) },
  ]);
  await page.getByText("1 field has no place in a draft").click();
  await expect(page.getByText("note Kept apart")).toBeVisible();
  await page.getByText("Left out", { exact: true }).click();
  await keepMessages(page);
  await page.getByRole("button", { name: "Create 3 drafts" }).dblclick();
  await expect(page.getByText("3 drafts created")).toBeVisible();
  for (const title of ["Ice in the fjord", "Salt", "Moorings"])
    await expect(page.getByRole("link", { name: title })).toBeVisible();
  expect(await total()).toBe(3);
  expect(faults).toEqual([]);
  await context.close();
});

test("damaged entries are left unchosen, also by the checkbox of all, until the user chooses one (app day: import)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await page.getByRole("button", { name: "Import citations" }).click();
  const text = page.getByRole("textbox", { name: "Citations" });
  await text.fill("TY  - RPRT\nTI  - Moorings\nER  - \nTY  - RPRT\nTI  - Buoys\nER  - \nTY  - RPRT\nTI  - Cut off");
  const works = page.getByRole("list", { name: "Works found" });
  const [moorings, cut] = ["Moorings", "Cut off"].map((name) => works.getByRole("checkbox", { name }));
  if (!moorings || !cut) throw new Error("two works");
  const all = page.getByRole("checkbox", { name: /of 3 chosen/ });
  await expect(works.getByRole("listitem").filter({ hasText: "Incomplete or damaged" })).toHaveText([/Cut off/]);
  await expect(all).toHaveAccessibleName("2 of 3 chosen");
  await expect(all).toBeChecked();
  await page.getByText("2 of 3 chosen").click();
  await expect(all).toHaveAccessibleName("0 of 3 chosen");
  await page.getByText("0 of 3 chosen").click();
  await expect(moorings).toBeChecked();
  await expect(cut).not.toBeChecked();
  await page.getByText("Cut off", { exact: true }).click();
  await expect(page.getByRole("button", { name: "Create 3 drafts" })).toBeEnabled();
  await text.fill('{ "title": "Kelp", "author": [{ "family": "Okonkwo", "ORCID": "0000-0002-1825-0098" }] }');
  await expect(works).toContainText("Okonkwo: 0000-0002-1825-0098: This ORCID isn’t valid.");
  // Where every entry is damaged, the checkbox means them all.
  await text.fill("TY  - RPRT\nTI  - Cut off");
  await expect(cut).not.toBeChecked();
  await page.getByText("0 of 1 chosen").click();
  await expect(cut).toBeChecked();
  expect(faults).toEqual([]);
  await context.close();
});

test("in an open draft the entry is chosen, and what the draft began with gives way (app M1, M26)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { path: "/" });
  await newDraft(page);
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Fill in from a citation" }).click();
  await page.getByRole("textbox", { name: "Citation" }).fill(library);
  await page.getByRole("button", { name: /3 entries: fill in from/ }).click();
  await page.getByRole("option", { name: "Salt" }).click();
  await page.getByRole("button", { name: /^Fill in 3 fields/ }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Salt");
  await expect(page.getByRole("textbox", { name: "Publication date" })).toHaveValue("2021");
  expect(faults).toEqual([]);
  await context.close();
});

test("the demo starts beside a program that holds port 5000, and its address opens the app (app M15)", async ({
  browser,
}) => {
  const other = createServer();
  // Where another program holds the port already, the case is the same.
  await new Promise<void>((resolve) => other.once("error", () => resolve()).listen(5000, "127.0.0.1", resolve));
  const demo = new CarrelProcess(["demo"]);
  try {
    const [, server] = await demo.prints(/^Server +(http:\S+)/m);
    expect(new URL(server ?? "").port).not.toBe("5000");
    const [, address] = await demo.prints(/^Desk +(http:\S+)/m);
    const { page, context, faults } = await newWindow(browser);
    await page.goto(address ?? "");
    await expect(page.getByRole("link", { name: /^Notes from the mooring recovery/ })).toBeVisible();
    expect(faults).toEqual([]);
    await context.close();
  } finally {
    expect((await demo.stop("SIGINT")).code).toBe(0);
    other.close();
  }
});
