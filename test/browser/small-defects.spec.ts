import { expect, type Page, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { givenSample, sampleTitles } from "./samples.ts";
import { appHosts, openSeat } from "./seats.ts";

const title = sampleTitles[0] ?? "";
let desk: Desk;
test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(() => desk.close());

/** A published record of many parts. */
async function givenLong(server: Parameters<typeof givenSample>[0], access = "public"): Promise<string> {
  const id = await givenSample(server, 0, {
    isPublished: false,
    files: Object.fromEntries(
      Array.from({ length: 30 }, (_one, at) => [`runs/run-${at}.csv`, Buffer.from("a,b\n1,2\n")]),
    ),
  });
  const path = `/api/records/${id}/draft`;
  const { metadata } = (await server.get(path)).body;
  const award = { number: "ANR-42", title: { en: "Cold seas" } };
  const more = {
    funding: [{ funder: { name: "Agency for the Sea" }, award }],
    additional_descriptions: [{ description: "<p>How it was measured</p>", type: { id: "methods" } }],
  };
  const body = { access: { record: access, files: access }, metadata: { ...metadata, ...more } };
  expect((await server.put(path, body)).status).toBe(200);
  expect((await server.post(`${path}/actions/publish`)).status).toBe(202);
  return id;
}

for (const host of appHosts) {
  test(`on the ${host}, a record says each fact once, its side stays in view, and no two links read alike (app M9, app L: links named Save)`, async ({
    browser,
  }) => {
    const person = await desk.person(`reader-${host}`, "Eva Lund");
    const id = await givenLong(person.server);
    const { page, context, faults, go } = await openSeat(browser, desk, person, host);
    await go(host === "server" ? `/me/records/${id}` : `/records/${id}`);
    await expect(page.getByText("ANR-42")).toHaveCount(1);
    await expect(page.getByText("How it was measured")).toHaveCount(1);
    const downloads = page.getByRole("link", { name: /^Download/ });
    await expect(downloads).toHaveCount(32);
    const names = await downloads.evaluateAll((links) =>
      links.map((link) => link.getAttribute("aria-label") ?? link.textContent),
    );
    expect(new Set(names).size).toBe(names.length);
    await page.getByText("Agency for the Sea").scrollIntoViewIfNeeded();
    await expect(page.getByRole("heading", { name: title, level: 1 })).not.toBeInViewport();
    await expect(page.getByRole("heading", { name: "Versions" })).toBeInViewport();
    expect(faults).toEqual([]);
    await context.close();
  });

  test(`on the ${host}, a page is printed to its end, light and without the frame (web 11, Print; issue 18)`, async ({
    browser,
  }) => {
    const person = await desk.person(`printer-${host}`, "Eva Lund");
    const id = await givenLong(person.server);
    const { page, context, faults, go } = await openSeat(browser, desk, person, host, "/me/uploads");
    await page.evaluate(() => localStorage.setItem("carrel.theme", "dark"));
    await go(host === "server" ? `/me/records/${id}` : `/records/${id}`);
    await expect(page.getByRole("heading", { name: "Versions" })).toBeVisible();
    const root = page.locator("html");
    await expect(root).toHaveCSS("color-scheme", "dark");
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("navigation", { name: "Main navigation" })).toBeHidden();
    await expect(root).toHaveCSS("color-scheme", "light");
    for (const name of ["Edit", "Share"]) await expect(page.getByRole("button", { name, exact: true })).toBeHidden();
    await expect(page.getByRole("link", { name: /^Download/ }).first()).toBeHidden();
    // What scrolls within the window is cut after the first sheet.
    const isCut = () =>
      page
        .getByRole("main")
        .evaluate((main) => getComputedStyle(main).overflowY !== "visible" || main.clientHeight < 900);
    await expect.poll(isCut).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  test(`on the ${host}, a request without a message begins with what is asked and a summary of the record (app M20)`, async ({
    browser,
  }) => {
    const [author, reviewer] = [
      await desk.person(`author-${host}`, "Karin Lindqvist"),
      await desk.person(`reviewer-${host}`, "Paolo Marchetti"),
    ];
    const draft = await givenSample(author.server, 0, { isPublished: false });
    const path = `/api/records/${draft}/draft`;
    const { id } = (await author.server.put(`${path}/review`, { receiver: { user: reviewer.id } })).body;
    await author.server.post(`${path}/actions/submit-review`);
    const { page, context, faults, go } = await openSeat(browser, desk, reviewer, host);
    await go(`/me/requests/${id}`);
    const opening = page.getByRole("list", { name: "Conversation" }).getByRole("listitem").first();
    await expect(opening).toContainText("Karin Lindqvist asked Paolo Marchetti for a review");
    await expect(opening).toContainText("Okonkwo, Adaeze");
    await expect(opening).toContainText("Monthly means on a 4 km grid");
    expect(faults).toEqual([]);
    await context.close();
  });

  test(`on the ${host}, an entry that the server refuses says so itself, and an embargo waits for its date (app L: server's words, app L: embargo)`, async ({
    browser,
  }) => {
    const person = await desk.person(`writer-${host}`, "Noor Haddad");
    const draft = await givenSample(person.server, 0, { isPublished: false });
    const path = `/api/records/${draft}/draft`;
    const { metadata, access } = (await person.server.get(path)).body;
    const related_identifiers = [
      { identifier: "10.1234/fine", scheme: "doi", relation_type: { id: "cites" } },
      { identifier: "not a doi", scheme: "doi", relation_type: { id: "cites" } },
    ];
    const body = { access, metadata: { ...metadata, related_identifiers } };
    expect((await person.server.put(path, body)).body.errors.length).toBeGreaterThan(0);
    const { page, context, faults, go } = await openSeat(browser, desk, person, host);
    await go(`/uploads/${draft}`);
    const rows = page.getByRole("group", { name: "Related works" }).getByRole("listitem");
    // The answer to a save says what is wrong.
    await page.getByRole("textbox", { name: "Publisher" }).fill("Sea Press");
    await expect(rows.nth(1).locator("[class*=rowProblem]")).toHaveCount(1);
    await expect(rows.nth(0).locator("[class*=rowProblem]")).toHaveCount(0);

    await page.getByText("Files restricted").first().click();
    await page.getByRole("checkbox", { name: /^Embargo/ }).focus();
    await page.keyboard.press("Space");
    const until = page.getByLabel("Open from");
    await expect(until).toBeVisible();
    await expect
      .poll(async () => (await person.server.get(path)).body.access.embargo.active, { message: "saved" })
      .toBe(true);
    await expect(until).not.toHaveAttribute("aria-invalid", "true");
    await until.focus();
    await until.blur();
    await expect(until).toHaveAttribute("aria-invalid", "true");
    expect(faults).toEqual([]);
    await context.close();
  });
}

test("in the list of requests no status covers a title (issue 18)", async ({ browser }) => {
  const [owner, reader] = [await desk.person("holder", "Eva Lund"), await desk.person("asker", "Ola Berg")];
  const id = await givenSample(owner.server, 0, { isPublished: false, files: { "a.csv": Buffer.from("a") } });
  const { metadata } = (await owner.server.get(`/api/records/${id}/draft`)).body;
  const access = { record: "public", files: "restricted" };
  expect((await owner.server.put(`/api/records/${id}/draft`, { metadata, access })).status).toBe(200);
  expect((await owner.server.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
  expect((await owner.server.put(`/api/records/${id}/access`, { allow_user_requests: true })).status).toBe(200);
  const asked = await reader.server.post(`/api/records/${id}/access/request`, { message: "Please" });
  expect(asked.status, asked.text).toBe(200);
  const { page, context, faults, go } = await openSeat(browser, desk, owner, "server");
  await go("/me/requests");
  const pill = (await page.getByText("Waiting for the owner").boundingBox()) ?? { x: 0, width: Number.NaN };
  const shownTitle = await page.getByText(title, { exact: true }).boundingBox();
  expect(pill.x + pill.width).toBeLessThan(shownTitle?.x ?? 0);
  expect(faults).toEqual([]);
  await context.close();
});

test("a citation of a record without a DOI names the server, not this computer, also offline and in an export (app day: record page)", async ({
  browser,
}) => {
  const karin = await desk.person("citing", "Karin Citing");
  const id = await givenSample(karin.server, 0);
  const replica = await desk.replica(karin);
  const { page, context, faults } = await openWindow(browser, replica, { path: `/records/${id}` });
  const cite = page.getByRole("region", { name: "Cite" });
  const address = `${desk.proxy.url}/records/${id}`;
  await expect(cite).toContainText(address);
  await desk.proxy.cut();
  await page.reload();
  await expect(cite).toContainText(address);
  await cite.getByRole("button", { name: /Citation format/ }).click();
  await page.getByRole("option", { name: "BibTeX" }).click();
  await expect(cite).toContainText(`{${address}}`);
  await expect(cite).not.toContainText(replica.url);
  await desk.proxy.mend();
  expect(faults).toEqual([]);
  await context.close();
});

test("a restricted record is what the form promises: its page says that it is restricted and nothing else (app M12)", async ({
  browser,
}) => {
  const person = await desk.person("secret", "Ruth Okafor");
  const id = await givenLong(person.server, "restricted");
  const { page, context, faults } = await openWindow(browser, await desk.replica(person));
  const draft = await givenSample(person.server, 1, { isPublished: false });
  await page.goto(`/uploads/${draft}`);
  await expect(
    page.getByText(
      "Only people with access can open or find the record. Others who have its address see only that it is restricted.",
    ),
  ).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
  const stranger = await browser.newPage();
  await stranger.goto(`${desk.server.url}/records/${id}`);
  await expect(stranger.getByText("Restricted", { exact: true })).toBeVisible();
  await expect(stranger.getByText(title)).toHaveCount(0);
  await stranger.goto(`${desk.server.url}/search?q=Adriatic`);
  await expect(stranger.locator(`a[href*="${id}"]`)).toHaveCount(0);
  await stranger.close();
});

const names = async (page: Page) => (await page.getByRole("menuitem").allTextContents()).map((text) => text.trim());

test("the palette names a page once, under its last title, and no discarded draft (app M11); storage explains its reserve (app M14)", async ({
  browser,
}) => {
  const replica = await desk.replica();
  const { page, context, faults } = await openWindow(browser, replica);
  const begin = async () => {
    await page.goto(replica.url);
    await page.getByRole("button", { name: "New draft" }).first().click();
    await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
  };
  await begin();
  await page.keyboard.type("Notes on gulls");
  await expect(page.getByText("Saved", { exact: false }).first()).toBeVisible();
  await page.goto(`${replica.url}/settings`);
  await page.goBack();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Notes on gulls");
  await begin();
  await page.keyboard.type("Thrown away");
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Discard draft" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await page.waitForURL(/\/me\/uploads/);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("menuitem", { name: "Notes on gulls" })).toHaveCount(1);
  expect((await names(page)).filter((name) => /^(N|No|Not|Note|Notes|Notes o\w*|Thrown.*)$/.test(name))).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto(`${replica.url}/settings`);
  await expect(page.getByText("Set aside for a full disk")).toBeVisible();
  await expect(page.getByText("so that unsent work can still be sent")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("the first page keeps room for its scrollbar (app L: layout shift); a decision that came too late offers no retry (app L: Retry)", async ({
  browser,
}) => {
  const [karin, paolo] = [await desk.person("late", "Karin Lindqvist"), await desk.person("later", "Paolo Marchetti")];
  const draft = await givenSample(karin.server, 0, { isPublished: false });
  const path = `/api/records/${draft}/draft`;
  const { id } = (await karin.server.put(`${path}/review`, { receiver: { user: paolo.id } })).body;
  await karin.server.post(`${path}/actions/submit-review`);
  const { page, context, faults } = await openWindow(browser, await desk.replica(paolo));
  await page.goto(`/me/requests/${id}`);
  await expect(page.getByRole("button", { name: "Decline" })).toBeVisible();
  desk.proxy.cut();
  await expect(page.getByRole("button", { name: /Offline/ })).toBeVisible();
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("Your decision to decline will be sent")).toBeVisible();
  expect((await karin.server.post(`/api/requests/${id}/actions/cancel`)).status).toBe(200);
  desk.proxy.mend();
  await page.getByRole("link", { name: "See the reason and what you can do" }).click();
  await expect(page.getByText("It came too late: the request had already been cancelled.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Discard" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
  await page.goto("/welcome");
  const gutter = await page.getByRole("main").evaluate((main) => getComputedStyle(main).scrollbarGutter);
  expect(gutter).toBe("stable both-edges");
  expect(faults).toEqual([]);
  await context.close();
});

test("a page that a fault stops says so and can be tried again (app 17)", async ({ browser }) => {
  const person = await desk.person("faulty", "Ines Duarte");
  const id = await givenSample(person.server, 0);
  const { page, context } = await openWindow(browser, await desk.replica(person));
  await expect.poll(async () => (await page.request.get(`/api/records/${id}`)).status()).toBe(200);
  const address = new RegExp(`/api/records/${id}$`);
  await page.route(address, (route) => route.fulfill({ json: { id } }));
  await page.goto(`/records/${id}`);
  await expect(page.getByRole("heading", { name: "This page stopped working", level: 2 })).toBeVisible();
  await page.unroute(address);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await context.close();
});
