import { type Browser, expect, type Locator, test } from "@playwright/test";
import { addFile, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

const placeOf = (box: Locator) => box.evaluate((element) => Math.round(element.scrollTop));

test("after Back the search for people has its text and what it found (issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  await desk.person("paolo", "Paolo Marchetti");
  const replica = await desk.replica(karin);
  const { page, context, faults } = await openWindow(browser, replica, { path: "/people" });
  const search = page.getByRole("searchbox", { name: "Search people" });
  await search.fill("lindq");
  await page
    .getByRole("main")
    .getByRole("link", { name: /Karin Lindqvist/ })
    .click();
  await page.waitForURL(`**/people/${karin.id}`);
  await page.goBack();
  await expect(search).toHaveValue("lindq");
  await expect(page.getByRole("main").getByRole("link", { name: /Karin Lindqvist/ })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: /Paolo Marchetti/ })).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("a reload and Back keep how the people of the server and the groups are filtered (issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  await desk.person("karin", "Karin Lindqvist");
  for (const name of ["curators", "divers"]) expect((await boss.server.post("/api/groups", { name })).status).toBe(201);
  const replica = await desk.replica(boss);
  const { page, context, faults } = await openWindow(browser, replica, { path: "/administration/people" });
  const main = page.getByRole("main");
  const person = (name: RegExp) => main.getByRole("link", { name });
  const search = page.getByRole("searchbox", { name: "Search people" });
  await page.getByRole("button", { name: /^Role|Role$/ }).click();
  await page.getByRole("option", { name: "Superuser" }).click();
  await expect(person(/Karin Lindqvist/)).toHaveCount(0);
  await page.getByRole("button", { name: /Sort by/ }).click();
  await page.getByRole("option", { name: "Newest" }).click();
  await search.fill("bo");
  await expect(page).toHaveURL(/\/administration\/people\?role=superuser-access&sort=newest&q=bo$/);
  const isKept = async () => {
    await expect(search).toHaveValue("bo");
    await expect(person(/Bo Ng/)).toBeVisible();
    await expect(person(/Karin Lindqvist/)).toHaveCount(0);
    await expect(page.getByRole("button", { name: /Sort by/ })).toContainText("Newest");
  };
  await page.reload();
  await isKept();
  await person(/Bo Ng/).click();
  await page.waitForURL(`**/people/${boss.id}`);
  await page.goBack();
  await isKept();
  const groups = main.getByRole("list", { name: "Groups" }).getByRole("listitem");
  for (const [path, address] of [
    ["/people?view=groups", /\/people\?view=groups&q=cura$/],
    ["/administration/groups", /\/administration\/groups\?q=cura$/],
  ] as const) {
    await page.goto(replica.url + path);
    await expect(groups.filter({ hasText: "divers" })).toBeVisible();
    await page.getByRole("searchbox", { name: "Search groups" }).fill("cura");
    await expect(page).toHaveURL(address);
    await page.reload();
    await expect(groups.filter({ hasText: "curators" })).toBeVisible();
    await expect(groups.filter({ hasText: "divers" })).toHaveCount(0);
  }
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("after Back and Forward the library and a draft's form stand where they were (issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  for (let number = 1; number <= 60; number++)
    expect((await near.post("/api/records", { metadata: { title: `Draft number ${number}` } })).status).toBe(201);
  const { page, context, faults } = await openWindow(browser, replica, { path: "/me/uploads" });
  const main = page.getByRole("main");
  const list = main.getByRole("list", { name: "Records" }).locator("..");
  const rows = main.getByRole("listitem").filter({ hasText: /Draft number/ });
  await expect(rows.first()).toBeVisible();
  await list.evaluate((element) => element.scrollTo(0, 900));
  const link = main
    .getByRole("link")
    .filter({ hasText: /^Draft number/ })
    .nth(10);
  await expect(link).toBeVisible();
  await expect.poll(() => placeOf(list)).toBe(900);
  await link.click();
  const form = main.locator("[data-scroll-restoration-id=draft-form]");
  await expect(form).toBeVisible();
  await form.evaluate((element) => element.scrollTo(0, 700));
  await expect.poll(() => placeOf(form)).toBe(700);
  await page.goBack();
  await expect.poll(() => placeOf(list)).toBe(900);
  await page.goForward();
  await expect(form).toBeVisible();
  await expect.poll(() => placeOf(form)).toBe(700);
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

/** A draft with two files, and a window on the library. */
async function givenTwoFiles(browser: Browser) {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  const id = await givenDraft(near);
  for (const name of ["first", "second"]) await addFile(near, id, `${name}.txt`, Buffer.from(`words of the ${name}`));
  return { desk, replica, id, ...(await openWindow(browser, replica, { path: "/me/uploads" })) };
}

test("Back closes the preview of a record's file, and Forward opens it; the address leads to it (issue 17)", async ({
  browser,
}) => {
  const { desk, replica, id, page, context, faults } = await givenTwoFiles(browser);
  await page.goto(`${replica.url}/uploads/${id}/preview`);
  const look = (name: string) => page.getByRole("button", { name: `Preview ${name}.txt` });
  const hide = (name: string) => page.getByRole("button", { name: `Hide the preview of ${name}.txt` });
  await look("first").click();
  const shown = page.getByText("words of the first");
  await expect(shown).toBeVisible();
  await expect(hide("first")).toBeFocused();
  await look("second").click();
  await expect(page.getByText("words of the second")).toBeVisible();
  await look("first").click();
  await expect(shown).toBeVisible();
  await page.reload();
  await expect(shown).toBeVisible();
  await page.goBack();
  await expect(look("first")).toBeVisible();
  await expect(shown).toHaveCount(0);
  await page.goForward();
  await expect(shown).toBeVisible();
  await hide("first").click();
  await expect(shown).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/me\/uploads/);
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("Back closes the preview of a draft's file, which the address names, and the draft stays", async ({ browser }) => {
  const { desk, replica, id, page, context, faults } = await givenTwoFiles(browser);
  await page.goto(`${replica.url}/uploads/${id}`);
  const preview = (name: string) => page.getByRole("dialog", { name: `${name}.txt` });
  await page.getByRole("row", { name: "first.txt" }).getByRole("button", { name: "first.txt", exact: true }).click();
  await expect(preview("first").getByText("words of the first")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(preview("second").getByText("words of the second")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Title" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/uploads/${id}$`));
  await page.goForward();
  await expect(preview("second").getByText("words of the second")).toBeVisible();
  await page.reload();
  await expect(preview("second").getByText("words of the second")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/uploads/${id}$`));
  // The closed preview left no step behind: Back leads to where the user came from.
  await page.goBack();
  await expect(page).toHaveURL(/\/me\/uploads$/);
  // A preview that a link opened has no step before it: closing it stays on the draft.
  await page.goto(`${replica.url}/uploads/${id}?file=second.txt`);
  await expect(preview("second").getByText("words of the second")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/uploads/${id}$`));
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
