import { expect, type Page, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow, type Person, type Window } from "./desk.ts";
import { hold } from "./hold.ts";
import { givenSample, sampleTitles } from "./samples.ts";
import { twice } from "./twice.ts";

let desk: Desk;
let ruth: Person;
let window: Window;
let page: Page;
let near: HttpClient;
let record: string;
let draft: string;

test.beforeAll(async ({ browser }) => {
  desk = await Desk.open();
  ruth = await desk.person("ruth", "Ruth Okafor", ["superuser-access"]);
  for (const [name, full] of [
    ["paolo", "Paolo Marchetti"],
    ["annika", "Annika Berg"],
  ] as const)
    await desk.person(name, full);
  for (const name of ["curators", "night-shift"]) await ruth.server.post("/api/groups", { name });
  record = await givenSample(ruth.server, 0);
  draft = await givenSample(ruth.server, 3, { isPublished: false });
  const replica = await desk.replica(ruth);
  near = new HttpClient(replica.url, replica.guard.secret);
  await expect.poll(async () => (await near.get(`/api/records/${draft}/draft`)).status).toBe(200);
  window = await openWindow(browser, replica, { path: "/" });
  page = window.page;
});

test.afterEach(() => page.unrouteAll({ behavior: "wait" }));

test.afterAll(async () => {
  expect(window.faults).toEqual([]);
  await window.context.close();
  await desk.close();
});

const open = (path: string) => page.goto(path);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");

for (const { name, method = "POST", call, press, done } of twice)
  test(`two presses send one request: ${name} (ux 5)`, async () => {
    const held = await hold(page, method, call);
    await press({ page, open, record, near });
    await expect.poll(() => held.count).toBe(1);
    await held.release();
    await done(page);
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect(held.count).toBe(1);
  });

test("a user typed or chosen while another one is being added stays in the field (records 7.3, requests 12.1)", async () => {
  await open(`/records/${record}`);
  await button("Share").click();
  const person = dialog().getByRole("combobox", { name: "Person" });
  await person.fill("Paolo");
  await page.getByRole("option", { name: /Paolo Marchetti/ }).click();
  const grant = await hold(page, "POST", /\/access\/grants$/);
  await dialog().getByRole("button", { name: "Share", exact: true }).click();
  await expect.poll(() => grant.count).toBe(1);
  await person.fill("Annika");
  await grant.release();
  await expect(dialog().locator("li").filter({ hasText: "Paolo Marchetti" })).toBeAttached();
  await expect(person).toHaveValue("Annika");
  await page.getByRole("option", { name: /Annika Berg/ }).click();
  await dialog().getByRole("button", { name: "Share", exact: true }).click();
  await expect(button("Remove Annika Berg’s access")).toBeVisible();
  await expect(person).toHaveValue("");

  const [, paolo] = (await ruth.server.get("/api/users?sort=oldest")).body.hits.hits;
  await open(`/people/${paolo.id}`);
  const choose = async (group: string) => {
    await page.getByRole("button", { name: /Add to a group/ }).click();
    await page.getByRole("option", { name: new RegExp(group) }).click();
  };
  await choose("curators");
  const add = await hold(page, "POST", /\/groups$/);
  await button("Add").click();
  await expect.poll(() => add.count).toBe(1);
  await choose("night-shift");
  await add.release();
  await expect(button("Remove from curators")).toBeVisible();
  await expect(page.getByRole("button", { name: /Add to a group/ })).toHaveText(/night-shift/);
});

test("filters pressed in quick succession all apply (ux 5)", async () => {
  await open("/?view=published");
  const filters = page.getByRole("complementary", { name: "Filters" });
  const subjects = filters.getByRole("group", { name: "Subjects" }).getByRole("button");
  await expect(subjects).toHaveCount(2);
  await subjects.evaluateAll((both) => {
    for (const one of both as { click: () => void }[]) one.click();
  });
  await expect(page).toHaveURL(/subject=oceanography&subject=remote/);
});

test("offline rules changed in two windows at once all apply, also when one is reverted (hosts-and-sync 5)", async () => {
  await open("/settings/keeping");
  const { body: before } = await near.get("/api/sync/keeping");
  await near.put("/api/sync/keeping", { ...before, most: 5e9 });
  const held = await hold(page, "PUT", /\/api\/sync\/keeping$/);
  await page.getByRole("button", { name: /Keep files of my drafts/ }).click();
  await page.getByRole("option", { name: "always" }).click();
  await expect.poll(() => held.count).toBe(1);
  await page.getByText("Metered connection").click();
  await held.release();
  const rules = async () => (await near.get("/api/sync/keeping")).body;
  await expect.poll(rules).toMatchObject({ own: "always", hold_files: true, most: 5e9 });

  await open(`/records/${record}`);
  await page.getByText("Keep on this computer").click();
  await expect.poll(rules).toMatchObject({ records: [record] });
  await near.put("/api/sync/keeping", { ...(await rules()), records: [record, draft] });
  await button("Undo").click();
  await expect.poll(rules).toMatchObject({ records: [draft] });
});

test("a dialog stays until the answer and shows a refusal; after leaving the dialog, the page shows it (records 4.7)", async () => {
  await open(`/records/${record}`);
  const ask = async () => {
    await button("More for this record").click();
    await page.getByRole("menuitem", { name: "Delete record" }).click();
    await dialog().getByRole("button", { name: "Reason" }).click();
    await page.getByRole("option", { name: "Retracted" }).click();
    await dialog().getByRole("button", { name: "Delete record" }).click();
  };
  const first = await hold(page, "DELETE", /\/delete$/, "The server is being backed up.");
  await ask();
  await expect.poll(() => first.count).toBe(1);
  await expect(dialog().getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await first.release();
  await expect(dialog().getByText("The server is being backed up.")).toBeVisible();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await page.unrouteAll({ behavior: "wait" });
  const second = await hold(page, "DELETE", /\/delete$/, "It is being backed up still.");
  await open("/?view=published");
  await page.getByRole("link", { name: sampleTitles[0] }).first().click();
  await ask();
  await expect.poll(() => second.count).toBe(1);
  await page.goBack();
  await expect(page.getByRole("searchbox").first()).toBeVisible();
  await second.release();
  await expect(page.getByText("It is being backed up still.")).toBeVisible();
});

test("a user who went to another page while something was being created stays there (ux 5)", async () => {
  for (const [from, press, call] of [
    ["/", "New draft", /\/api\/records$/],
    [`/records/${record}`, "Copy to a new draft", /\/api\/records$/],
  ] as const) {
    await open(from);
    const held = await hold(page, "POST", call);
    await button(press).click();
    await expect.poll(() => held.count).toBe(1);
    await page.getByRole("link", { name: /^Requests/ }).click();
    await expect(page).toHaveURL(/\/me\/requests/);
    const answered = page.waitForResponse((response) => call.test(response.url()));
    await held.release();
    await answered;
    // By its name: until the page has changed, that of the page before is there.
    await page.getByRole("searchbox", { name: "Search requests" }).fill("still here");
    await expect(page).toHaveURL(/\/me\/requests\?q=still/);
    await page.unrouteAll({ behavior: "wait" });
  }
});

test("a change from the event stream is newer than the answer to an earlier press (hosts-and-sync 8)", async () => {
  await open("/sync");
  const held = await hold(page, "POST", /\/api\/sync\/pause$/);
  await button("Pause").click();
  await expect.poll(() => held.count).toBe(1);
  await expect(button("Resume")).toBeVisible();
  await near.post("/api/sync/resume");
  await expect(button("Pause")).toBeVisible();
  const answered = page.waitForResponse(/\/api\/sync\/pause$/);
  const again = page.waitForRequest(/\/api\/sync\/status$/);
  await held.release();
  await answered;
  await again;
  await expect(button("Pause")).toBeEnabled();
});

test("a creator being edited or removed is identified correctly although others arrive meanwhile (records 3.2)", async () => {
  await open(`/uploads/${draft}`);
  const rows = page.getByRole("grid", { name: "Creators" }).getByRole("row");
  const path = `/api/records/${draft}/draft`;
  const arrives = async (family_name: string, given_name: string) => {
    const { metadata, files, access } = (await near.get(path)).body;
    const guest = { person_or_org: { type: "personal", family_name, given_name } };
    await near.put(path, { metadata: { ...metadata, creators: [guest, ...metadata.creators] }, files, access });
    await expect(page.getByText(`${family_name}, ${given_name}`)).toBeAttached();
  };
  await rows.filter({ hasText: "Okonkwo" }).click();
  const given = dialog().getByRole("textbox", { name: "Given name" });
  await given.fill("Ada");
  await arrives("Zwart", "Bo");
  await dialog().getByRole("button", { name: "Done" }).last().click();
  await expect(rows.first()).toContainText("Zwart, Bo");
  await expect(rows.nth(1)).toContainText("Okonkwo, Ada");
  const held = async () => JSON.stringify((await near.get(path)).body.metadata.creators);
  await expect.poll(held).toContain('"Ada"');

  await button("More for Okonkwo, Ada").click();
  await arrives("Abe", "Kenji");
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect(rows.filter({ hasText: "Okonkwo" })).toHaveCount(0);
  await expect(rows.first()).toContainText("Abe, Kenji");
  await expect(rows.nth(1)).toContainText("Zwart, Bo");
});
