import { expect, type Page, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { chooseByKeys, Keyboard } from "./keyboard.ts";
import { appHosts, openSeat } from "./seats.ts";

let desk: Desk;
test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(() => desk.close());

/** Fails if the mouse was used in this window. */
async function forbidPointer(page: Page, faults: string[]): Promise<void> {
  await page.exposeFunction("tellPointer", () => void faults.push("a pointer was used"));
  await page.addInitScript(`addEventListener("pointerdown", () => window.tellPointer(), true)`);
  await page.reload();
}

test("a newcomer by keyboard alone: starts on this computer, writes a first draft, and finds it again (issue 17, Show)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, await desk.replica(), { isNew: true, path: "/" });
  await page.waitForURL(/welcome/);
  await forbidPointer(page, faults);
  const keys = new Keyboard(page);
  await keys.to(page.getByRole("radio", { name: /^Work on this computer only/ }));
  await keys.press(page.getByRole("button", { name: "Open library" }));
  await keys.press(page.getByRole("main").getByRole("button", { name: "New draft" }));
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
  await keys.type("Gulls of the harbour");
  await expect(page.getByText("Saved on this computer").first()).toBeVisible();
  await keys.press(page.getByRole("link", { name: "Library" }).first(), { back: true });
  await keys.press(page.getByRole("link", { name: /^Gulls of the harbour/ }));
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Gulls of the harbour");
  expect(faults).toEqual([]);
  await context.close();
});

for (const host of appHosts) {
  test(`a depositor by keyboard alone on the ${host}: a draft is written and published (issue 17, Show)`, async ({
    browser,
  }) => {
    const person = await desk.person(`depositor-${host}`, "Karin Lindqvist");
    const { page, context, faults } = await openSeat(browser, desk, person, host, "/me/uploads");
    await forbidPointer(page, faults);
    const keys = new Keyboard(page);
    await keys.press(page.getByRole("main").getByRole("button", { name: "New draft" }));
    await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
    await keys.type("Sources of a small library");
    await keys.to(page.getByRole("checkbox", { name: /^This record has no files/ }), { back: true });
    await page.keyboard.press("Space");
    await keys.to(page.getByRole("combobox", { name: "Resource type" }));
    await chooseByKeys(page.getByRole("combobox", { name: "Resource type" }), "Datas", "Dataset");
    await keys.press(page.getByRole("main").getByRole("button", { name: "Paste a list" }).first());
    await keys.to(page.getByRole("textbox", { name: "Names" }));
    await keys.type("Marchetti, Paolo");
    await keys.press(page.getByRole("button", { name: "Add 1 person" }));
    await expect(page.getByText("Nothing is missing.")).toBeVisible();
    await keys.press(page.getByRole("button", { name: "Publish", exact: true }), { back: true });
    await keys.press(page.getByRole("dialog").getByRole("button", { name: "Publish" }));
    await expect(page.getByRole("heading", { name: "Cite" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Sources of a small library" }).first()).toBeVisible();
    expect(faults).toEqual([]);
    await context.close();
  });

  test(`an administrator by keyboard alone on the ${host}: invites a person and sets a quota (issue 17, Show)`, async ({
    browser,
  }) => {
    const boss = await desk.person(`boss-${host}`, "Bo Ng", ["superuser-access"]);
    const other = await desk.person(`member-${host}`, `Noor of the ${host}`);
    const { page, context, faults } = await openSeat(browser, desk, boss, host, "/me/uploads");
    await forbidPointer(page, faults);
    const keys = new Keyboard(page);
    await keys.press(page.getByRole("link", { name: /^Administration/ }));
    const parts = page.getByRole("navigation", { name: "Parts of the administration" });
    await keys.press(parts.getByRole("link", { name: "People" }));
    await keys.press(page.getByRole("button", { name: "Invite a person" }));
    await keys.to(page.getByRole("textbox", { name: "E-mail address" }));
    await keys.type(`new-${host}@example.org`);
    await keys.press(page.getByRole("button", { name: "Invite", exact: true }));
    await expect(page.getByRole("dialog").locator("code")).toHaveText(/\/invitation\//);
    await keys.press(page.getByRole("button", { name: "Done" }));
    await keys.to(page.getByRole("searchbox", { name: "Search people" }), { back: true });
    await keys.type(`of the ${host}`);
    await keys.press(page.getByRole("link", { name: new RegExp(`Noor of the ${host}`) }));
    await keys.to(page.getByRole("textbox", { name: "Quota in GB" }));
    await page.keyboard.press("ControlOrMeta+a");
    await keys.type("1.5");
    await keys.press(page.getByRole("button", { name: "Save" }));
    await expect(page.getByText("of 1.5 GB")).toBeVisible();
    expect((await other.server.get("/api/me")).status).toBe(200);
    expect(faults).toEqual([]);
    await context.close();
  });

  test(`a group reviews on the ${host}: a member is told, decides, and the decision counts for the group (app, missing 6)`, async ({
    browser,
  }) => {
    const roles = ["administration-moderation"];
    const author = await desk.person(`author-${host}`, "Ada Mohr", roles);
    const member = await desk.person(`curator-${host}`, "Paolo Marchetti");
    const first = await desk.person(`first-${host}`, `Eva of the ${host}`);
    const admin = await desk.person(`admin-${host}`, "Ruth Okafor", ["superuser-access"]);
    const group = `curators-${host}`;
    expect((await admin.server.post("/api/groups", { name: group })).status).toBe(201);
    expect((await admin.server.post(`/api/users/${member.id}/groups`, { groups: [group] })).status).toBe(200);
    const metadata = {
      title: `Cores of the ${host}`,
      resource_type: { id: "dataset" },
      publication_date: "2026",
      creators: [{ person_or_org: { type: "personal", family_name: "Mohr", given_name: "Ada" } }],
    };
    const { id } = (await author.server.post("/api/records", { metadata, files: { enabled: false } })).body;
    const hers = await openSeat(browser, desk, author, host);
    await hers.go(`/uploads/${id}`);
    await hers.page.getByRole("button", { name: "Submit for review" }).click();
    const dialog = hers.page.getByRole("dialog");
    for (const [typed, option] of [
      [`Eva of the ${host}`, new RegExp(`Eva of the ${host}`)],
      [group, new RegExp(group)],
    ] as const) {
      await dialog.getByRole("combobox", { name: "Reviewer" }).fill(typed);
      await hers.page.getByRole("option", { name: option }).click();
    }
    await dialog.getByRole("button", { name: "Submit for review" }).click();
    await hers.page.waitForURL(/\/me\/requests\//);
    const request = hers.page.url().split("/").pop() ?? "";
    await expect(hers.page.getByRole("region", { name: "What is asked" })).toContainText(group);
    await expect.poll(async () => (await member.server.get(`/api/requests/${request}`)).status).toBe(200);
    expect((await first.server.get(`/api/requests/${request}`)).status).toBe(200);

    const his = await openSeat(browser, desk, member, host, "/me/uploads");
    await his.page.getByRole("link", { name: /^Requests/ }).click();
    // The library, which lists the draft too, stays until the next page has arrived.
    await his.page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await his.page.getByRole("link", { name: new RegExp(`Cores of the ${host}`) }).click();
    await his.page.getByRole("button", { name: "Request changes" }).click();
    await his.page.getByRole("dialog").getByRole("textbox").pressSequentially("Please name the cruise.");
    await his.page.getByRole("dialog").getByRole("button", { name: "Request changes" }).click();
    await expect(his.page.getByRole("list", { name: "Reviewers" })).toContainText("Changes requested");
    const waits = hers.page.getByRole("list", { name: "Reviewers" }).getByRole("listitem").filter({ hasText: group });
    await expect(waits).toContainText("Changes requested");
    for (const { faults, context } of [hers, his]) {
      expect(faults).toEqual([]);
      await context.close();
    }
  });
}

test("an administrator by keyboard alone: the focus stays where the button was that a press takes away (issue 17: Accessibility)", async ({
  browser,
}) => {
  const boss = await desk.person("keyboard-boss", "Bo Ng", ["superuser-access"]);
  for (const name of ["ann", "noor", "paul"]) {
    const invitation = { email: `${name}@example.net`, roles: [] };
    expect((await boss.server.post("/api/invitations", invitation)).status).toBe(201);
  }
  const { page, context, go, faults } = await openSeat(browser, desk, boss, "server", "/administration/people");
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  await test.step("after a withdrawn invitation the next one follows", async () => {
    await button("Withdraw the invitation of noor@example.net").press("Enter");
    await expect(page.getByText("noor@example.net")).toHaveCount(0);
    await expect(
      page
        .getByRole("listitem")
        .filter({ hasText: /ann@|paul@/ })
        .and(page.locator(":focus")),
    ).toHaveCount(1);
  });

  await test.step("after one that is sent again the dialog with its link leads back to the list", async () => {
    await button("Send again to ann@example.net").press("Enter");
    await button("Done").press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  });

  await test.step("after an activated account its other actions follow", async () => {
    const karin = await desk.person("deactivated", "Karin Lindqvist");
    const end = await boss.server.post(`/api/administration/people/${karin.id}/actions/deactivate`);
    expect(end.status).toBe(200);
    await go(`/people/${karin.id}`);
    await button("Activate").press("Enter");
    await expect(page.locator(":focus").filter({ has: button("Deactivate") })).toHaveCount(1);
    await page.keyboard.press("Tab");
    await expect(button("Send a link for a new password")).toBeFocused();
  });

  await test.step("on the last page what stands beside the button follows, for it turns no further", async () => {
    for (let n = 0; n < 25; n++) await desk.person(`listed-${n}`, `Somebody ${n}`);
    await go("/administration/people");
    await button("Next").press("Enter");
    await expect(button("Next")).toBeDisabled();
    await expect(page.getByRole("main").getByText(/^26 to/)).toBeFocused();
    await go("/administration/audit");
    await button("Older").press("Enter");
    await button("Newer").press("Enter");
    await expect(button("Older")).toBeFocused();
  });
  expect(faults).toEqual([]);
  await context.close();
});
