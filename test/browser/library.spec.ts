import { expect, type Page, type Request, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow, type Person } from "./desk.ts";
import { keepMessages } from "./keep-messages.ts";
import { Keyboard } from "./keyboard.ts";

const works: [title: string, date: string, type: string][] = [
  ["Résumé of the Łódź archive", "1998", "dataset"],
  ["Storm surges, a resume", "2004", "publication-article"],
  ["Kelp forests of the north", "2010", "publication-report"],
  ["Kelp and urchins", "2022", "dataset"],
];
let desk: Desk;
let karin: Person;
let replica: RunningReplica;

const metadataOf = ([title, publication_date, type]: (typeof works)[number]) => ({
  title,
  publication_date,
  resource_type: { id: type },
  description: `<p>Field notes. ${"Nothing to see here. ".repeat(20)}The caf&eacute; by the <b>lighthouse</b> was closed.</p>`,
  subjects: [{ subject: "benthic ecology" }],
  creators: [{ person_or_org: { type: "personal", family_name: "Okonkwo", given_name: "Adaeze" } }],
});

test.beforeAll(async () => {
  desk = await Desk.open();
  karin = await desk.person("karin", "Karin Lindqvist");
  replica = await desk.replica(karin);
  const near = new HttpClient(replica.url, replica.guard.secret);
  for (const work of works) await near.post("/api/records", { files: { enabled: false }, metadata: metadataOf(work) });
});
test.afterAll(() => desk.close());

const box = (page: Page) => page.getByRole("searchbox", { name: "Search titles, people, subjects and descriptions" });
const titles = (page: Page) => page.getByRole("list", { name: "Records" }).getByRole("link").allInnerTexts();
const found = (page: Page, ...starts: string[]) =>
  expect.poll(async () => (await titles(page)).map((text) => text.split("\n")[0]).sort()).toEqual([...starts].sort());

test("search words are marked in titles and in a line of the description, accents and case aside (search 4)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await box(page).fill("resume");
  await found(page, "Résumé of the Łódź archive", "Storm surges, a resume");
  await expect(page.locator("mark")).toHaveText(["resume", "Résumé"]);
  await box(page).fill("CAFE");
  await expect(page.locator("mark").first()).toHaveText("café");
  await expect(page.getByText(/… .*The café by the lighthouse/).first()).toBeVisible();
  await expect(page).toHaveURL(/[?&]q=CAFE/);
  await box(page).fill("benthic");
  await expect(page.getByText("Subjects and keywords benthic ecology").first()).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("results appear while typing; a late answer replaces neither newer results nor the typed text", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await found(page, ...works.map(([title]) => title));
  const queryOf = (request: Request) => new URL(request.url()).searchParams.get("q") ?? "";
  const answered: string[] = [];
  // The answer is shown, or the page has cancelled the call.
  const note = (request: Request) => void answered.push(queryOf(request));
  page.on("requestfinished", note);
  page.on("requestfailed", note);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/api\/user\/records\?.*q=/, async (route) => {
    if (["k", "kelp"].includes(queryOf(route.request()))) await gate.promise;
    await route.continue().catch(() => undefined);
  });
  await box(page).fill("k");
  await expect(page).toHaveURL(/[?&]q=k$/);
  await box(page).pressSequentially("elp", { delay: 20 });
  await expect(page).toHaveURL(/[?&]q=kelp$/);
  await box(page).pressSequentially(" AND urchins", { delay: 20 });
  await found(page, "Kelp and urchins");
  gate.resolve();
  await expect.poll(() => ["k", "kelp"].every((q) => answered.includes(q))).toBe(true);
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  await expect(box(page)).toHaveValue("kelp AND urchins");
  await found(page, "Kelp and urchins");
  expect(faults).toEqual([]);
  await context.close();
});

test("a range of years is set by keyboard or typed; it is part of the URL, and a chip removes it (search 8)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const from = page.getByRole("slider", { name: "From year" });
  await page.getByRole("button", { name: "Hide the filters" }).click();
  await expect(from).toHaveCount(0);
  await page.reload();
  await page.getByRole("button", { name: "Show the filters" }).click();
  await expect(from).toHaveValue("1998");
  await from.focus();
  await page.keyboard.press("ArrowRight");
  await found(page, ...works.slice(1).map(([title]) => title));
  await expect(page).toHaveURL(/publication_date=1999\.\.2022/);
  await page.getByRole("textbox", { name: "First year" }).fill("2005");
  await page.keyboard.press("Enter");
  await found(page, ...works.slice(2).map(([title]) => title));
  await expect(page).toHaveURL(/publication_date=2005\.\.2022/);
  await page.getByRole("textbox", { name: "First year" }).fill("1999");
  await page.keyboard.press("Enter");
  await found(page, ...works.slice(1).map(([title]) => title));
  const to = page.getByRole("slider", { name: "To year" });
  await to.focus();
  await page.keyboard.press("Home");
  await found(page);
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await page.getByRole("button", { name: "Remove filter 1999" }).click();
  await found(page, ...works.map(([title]) => title));
  await expect(from).toHaveValue("1998");

  await page.goto(`${replica.url}/?q=urchins&language=nor`);
  await expect(page.getByRole("button", { name: "Remove filter Norwegian" })).toBeVisible();
  await page.getByRole("button", { name: "1 record without the filters" }).click();
  await found(page, "Kelp and urchins");
  await box(page).fill("urchins updated:soon");
  await page.getByRole("button", { name: "updated:>now-7d" }).click();
  await expect(box(page)).toHaveValue("urchins updated:>now-7d");
  await found(page, ...works.map(([title]) => title));
  expect(faults).toEqual([]);
  await context.close();
});

test("a search saved under a name survives the window and restores its filters", async ({ browser }) => {
  const first = await openWindow(browser, replica, { path: "/" });
  await box(first.page).fill("kelp");
  await first.page.getByRole("button", { name: "Kinds of Publication" }).click();
  await first.page.getByRole("button", { name: /^Report/ }).click();
  await found(first.page, "Kelp forests of the north");
  await first.page.getByRole("button", { name: "Save this search" }).click();
  // What is typed replaces the suggested name (app L).
  await expect(first.page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await first.page.keyboard.type("Kelp reports");
  await first.page.getByRole("textbox", { name: "Name" }).press("Enter");
  await expect(first.page.getByRole("link", { name: "Kelp reports" })).toBeVisible();
  await first.context.close();

  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await page.getByRole("link", { name: "Kelp reports" }).click();
  await found(page, "Kelp forests of the north");
  await expect(box(page)).toHaveValue("kelp");
  await expect(page).toHaveURL(/resource_type=publication%3A%3Apublication-report/);
  await expect(page.getByRole("button", { name: /^Remove filter Report/ })).toBeVisible();
  await page.getByRole("button", { name: "Delete saved search Kelp reports" }).click();
  await expect(page.getByRole("link", { name: "Kelp reports" })).toBeHidden();
  expect(faults).toEqual([]);
  await context.close();
});

test("unsent work is a filter of the library, also together with a query; it is part of the URL (ux 1)", async ({
  browser,
}) => {
  const near = new HttpClient(replica.url, replica.guard.secret);
  await expect.poll(async () => (await near.get("/api/sync/status")).body.state).toBe("up_to_date");
  const [kelp] = (await near.get("/api/user/records?q=urchins")).body.hits.hits;
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await found(page, ...works.map(([title]) => title));
  await expect(page.getByRole("group", { name: "On this computer" })).toBeHidden();
  await near.post("/api/sync/pause");
  await near.put(`/api/records/${kelp.id}/draft`, { metadata: { ...kelp.metadata, version: "2" } });
  await page.getByRole("button", { name: "Waiting to send 1" }).click();
  await found(page, "Kelp and urchins");
  await expect(page).toHaveURL(/[?&]work=waiting/);
  await box(page).fill("forests");
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await box(page).fill("kelp");
  await found(page, "Kelp and urchins");
  await near.post("/api/sync/resume");
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await page.getByRole("button", { name: "Remove filter Waiting to send" }).click();
  await found(page, "Kelp and urchins", "Kelp forests of the north");
  expect(faults).toEqual([]);
  await context.close();
});

test("several records are selected by keyboard, and the action names exactly these; a new search clears the selection (ux 1)", async ({
  browser,
}) => {
  const near = new HttpClient(replica.url, replica.guard.secret);
  for (const title of ["Scrap one", "Scrap two"])
    await near.post("/api/records", { files: { enabled: false }, metadata: { title } });
  const { page, context, faults } = await openWindow(browser, replica, { path: "/?q=scrap" });
  await found(page, "Scrap one", "Scrap two");
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: /^Scrap/ }).first()).toBeFocused();
  await page.keyboard.press("x");
  await expect(page.getByRole("checkbox", { name: /^Select Scrap/ }).first()).toBeFocused();
  await expect(page.getByRole("checkbox", { name: "1 selected" })).toBeVisible();
  await page.keyboard.press("Escape");
  await found(page, "Scrap one", "Scrap two");
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select all 2" }).press("Space");
  await page.getByRole("button", { name: "Discard 2 drafts" }).click();
  await keepMessages(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard 2 drafts" }).click();
  await expect(page.getByText("2 drafts discarded.")).toBeVisible();
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await box(page).fill("kelp");
  await found(page, "Kelp and urchins", "Kelp forests of the north");
  expect(faults).toEqual([]);
  await context.close();
});

test("a dropped citation is offered and becomes a draft, other files are attached to one; a draft can be copied (ux 1, 2, app M1)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const drop = async (files: Record<string, string>) => {
    const dropped = await page.evaluateHandle(`(() => {
      const dropped = new DataTransfer();
      for (const [name, text] of ${JSON.stringify(Object.entries(files))}) dropped.items.add(new File([text], name));
      return dropped;
    })()`);
    await page.dispatchEvent("main", "drop", { dataTransfer: dropped });
  };
  await found(page, ...works.map(([title]) => title));
  await drop({ "coasts.bib": "@article{a, author = {Nakamura, Yuki}, title = {Coasts in retreat}, year = 2020}" });
  await page.getByRole("button", { name: "Create 1 draft" }).click();
  const title = page.getByRole("textbox", { name: /^Title/ });
  await expect(title).toHaveValue("Coasts in retreat");
  const first = page.url();
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Copy to a new draft" }).click();
  await expect.poll(() => page.url()).not.toBe(first);
  await expect(title).toHaveValue("Coasts in retreat");
  // Its own date is not copied: the default is today.
  await expect(page.getByRole("textbox", { name: /^Publication date/ })).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  await page.goto(first);
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Discard draft" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await found(page, "Coasts in retreat", ...works.map(([title]) => title));
  await drop({ "depths.csv": "a,b", "widths.csv": "c,d" });
  for (const name of ["depths.csv", "widths.csv"]) await expect(page.getByText(name)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("the search help opens by keyboard; choosing an example runs it at once (search 5)", async ({ browser }) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await box(page).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "How to search" })).toBeFocused();
  await page.keyboard.press("Enter");
  const help = page.getByRole("dialog", { name: "How to search" });
  await expect(help).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await expect(page.getByRole("button", { name: "How to search" })).toBeFocused();
  await page.keyboard.press("Enter");
  await new Keyboard(page).press(help.getByRole("button", { name: "metadata.creators.person_or_org.name:Okonkwo" }));
  await expect(box(page)).toHaveValue("metadata.creators.person_or_org.name:Okonkwo");
  await found(page, ...works.map(([title]) => title));
  await expect(page.locator("mark").first()).toHaveText("Okonkwo");
  expect(faults).toEqual([]);
  await context.close();
});

test("hits that only the server has are listed below the local ones; offline, a search without a result says that the server is away (hosts-and-sync 3, app M5)", async ({
  browser,
}) => {
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const path = "/api/records";
  const { body } = await paolo.server.post(path, {
    files: { enabled: false },
    metadata: { ...metadataOf(["Kelp elsewhere", "2015", "dataset"]), publisher: "Institute" },
  });
  expect((await paolo.server.post(`${path}/${body.id}/draft/actions/publish`)).status).toBe(202);
  const { page, context, faults } = await openWindow(browser, replica);
  await page.goto(`${replica.url}/?view=published`);
  // A newcomer's computer has none of the team's records: the server's are shown at once, with their facets (app M6).
  await found(page, "Kelp elsewhere");
  await page.getByRole("complementary", { name: "Filters" }).getByText("Dataset").click();
  await found(page, "Kelp elsewhere");
  await page.goto(`${replica.url}/?view=published&q=kelp`);
  await page.getByRole("button", { name: "Search the server too" }).click();
  await found(page, "Kelp elsewhere");
  await expect(page.getByRole("heading", { name: "More on the server" })).toBeVisible();
  await expect(page).toHaveURL(/scope=server/);
  await page.reload();
  await found(page, "Kelp elsewhere");
  desk.proxy.cut();
  await expect(page.getByText(/server cannot be reached|server is needed/i).first()).toBeVisible();
  await page.goto(`${replica.url}/?view=published&q=nowhere`);
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await expect(
    page.getByText("The server cannot be reached now. Only what is on this computer was searched."),
  ).toBeVisible();
  desk.proxy.mend();
  await expect(page.getByText("Only what is on this computer was searched.")).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});
