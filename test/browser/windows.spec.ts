import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { Desk, openWindow, type Person } from "./desk.ts";
import { hold } from "./hold.ts";
import { comment, commentWith, givenReview, words } from "./reviewing.ts";

let desk: Desk;
let karin: Person;
let paolo: Person;
let his: RunningReplica;

test.beforeAll(async () => {
  desk = await Desk.open();
  karin = await desk.person("karin", "Karin Lindqvist");
  paolo = await desk.person("paolo", "Paolo Marchetti");
  his = await desk.replica(paolo);
});

test.afterAll(() => desk.close());

/** Both windows open a path. */
async function openBoth(pages: Page[], path: string): Promise<void> {
  for (const page of pages) await page.goto(`${his.url}${path}`);
}

test("a conversation that both windows lock is locked, without a failure (issue 17)", async ({ browser }) => {
  const id = await givenReview(karin, paolo);
  const { page: one, context, faults } = await openWindow(browser, his);
  const pages = [one, await context.newPage()];
  await openBoth(pages, `/me/requests/${id}`);
  for (const page of pages) await page.getByRole("button", { name: "Lock conversation" }).click();
  for (const page of pages) {
    await page.getByRole("alertdialog").getByRole("button", { name: "Lock conversation" }).click();
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    await expect(page.getByText("You have locked this conversation.")).toBeVisible();
    await expect(page.getByText(/already locked/)).toHaveCount(0);
  }
  expect(faults).toEqual([]);
  await context.close();
});

test("saved searches and the theme appear in the other window without a reload (fault 12)", async ({ browser }) => {
  const { page: one, context, faults } = await openWindow(browser, his);
  const two = await context.newPage();
  await openBoth([one, two], "/?q=sea");
  const searches = two.getByRole("navigation", { name: "Saved searches" }).getByRole("link");
  await expect(two.getByRole("button", { name: "Save this search" })).toBeVisible();
  await one.getByRole("button", { name: "Save this search" }).click();
  await one.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("About the sea");
  await one.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(searches).toHaveText(["About the sea"]);
  // A second one of that name could not be told apart.
  await two.getByRole("button", { name: "Save this search" }).click();
  await two.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("About the sea");
  await expect(two.getByText("You gave this name already.")).toBeVisible();
  await expect(two.getByRole("dialog").getByRole("button", { name: "Save" })).toBeDisabled();
  await two.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await one.getByRole("button", { name: "Delete saved search About the sea" }).click();
  await expect(searches).toHaveCount(0);

  await one.goto(`${his.url}/settings`);
  await one.getByText("Dark", { exact: true }).click();
  await expect(two.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(faults).toEqual([]);
  await context.close();
});

test("offline rules changed in one window appear in the other (fault 12)", async ({ browser }) => {
  const { page: one, context, faults } = await openWindow(browser, his);
  const two = await context.newPage();
  await openBoth([one, two], "/settings/keeping");
  const rule = (page: Page) => page.getByRole("button", { name: /Keep files of my drafts/ });
  await expect(rule(two)).not.toContainText("always");
  await rule(one).click();
  await one.getByRole("option", { name: "always" }).click();
  await expect(rule(two)).toContainText("always");
  expect(faults).toEqual([]);
  await context.close();
});

test("a request muted in one window is muted in the other (fault 12)", async ({ browser }) => {
  const id = await givenReview(karin, paolo);
  const { page: one, context, faults } = await openWindow(browser, his);
  const two = await context.newPage();
  await openBoth([one, two], `/me/requests/${id}`);
  await expect(two.getByRole("button", { name: "Mute" })).toBeVisible();
  await one.getByRole("button", { name: "Mute" }).click();
  await expect(two.getByRole("button", { name: "Unmute" })).toBeVisible();
  await two.getByRole("button", { name: "Unmute" }).click();
  await expect(one.getByRole("button", { name: "Mute" })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("a comment typed in one window appears in the other, and disappears from both when it is sent (fault 12)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  const { page: one, context, faults } = await openWindow(browser, his);
  const two = await context.newPage();
  await openBoth([one, two], `/me/requests/${id}`);
  await comment(two).click();
  await expect(comment(two)).toBeFocused();
  await comment(one).click();
  await one.keyboard.type("From one.");
  await expect(comment(two)).toHaveText("From one.");
  await two.keyboard.press("Control+End");
  await two.keyboard.press("Enter");
  await two.keyboard.type("From two.");
  await expect(comment(one).locator("p")).toHaveText(["From one.", "From two."]);
  await one.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(commentWith(two, "From one.")).toContainText("From two.");
  for (const page of [one, two]) {
    await expect(comment(page)).toHaveText("");
    await expect(commentWith(page, "From one.")).toHaveCount(1);
  }
  await one.reload();
  await expect(comment(one)).toHaveText("");
  expect(faults).toEqual([]);
  await context.close();
});

test("typing in both windows at once loses no words and doubles none, also while another comment is being sent (fault 12)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  const { page: one, context, faults } = await openWindow(browser, his);
  const two = await context.newPage();
  await openBoth([one, two], `/me/requests/${id}`);
  for (const page of [one, two]) await comment(page).click();
  await Promise.all([
    one.keyboard.type("alpha beta gamma", { delay: 30 }),
    two.keyboard.type("one two three", { delay: 30 }),
  ]);
  // The order of both texts is open.
  const paragraphs = async (page: Page) => (await comment(page).locator("p").allInnerTexts()).sort();
  for (const page of [one, two])
    await expect.poll(() => paragraphs(page)).toEqual(["alpha beta gamma", "one two three"]);
  await expect(comment(one).locator("p")).toHaveText(await comment(two).locator("p").allInnerTexts());

  const sending = await hold(one, "POST", /\/comments$/);
  await one.getByRole("button", { name: "Comment", exact: true }).click();
  await expect.poll(() => sending.count).toBe(1);
  await comment(two).click();
  await two.keyboard.press("Control+End");
  await two.keyboard.press("Enter");
  await two.keyboard.type("afterwards");
  await expect(comment(two)).toContainText("afterwards");
  await sending.release();
  await expect(comment(one)).toHaveText("afterwards");
  await expect(comment(two)).toHaveText("afterwards");
  expect(faults).toEqual([]);
  await context.close();
});

test("an edit started in one window continues in the other; cancelled there, it is cancelled here (fault 12)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  await paolo.server.post(`/api/requests/${id}/comments`, words("First thoughts."));
  const { page: one, context, faults } = await openWindow(browser, his);
  const two = await context.newPage();
  await openBoth([one, two], `/me/requests/${id}`);
  const changed = (page: Page) => page.getByRole("textbox", { name: "Edit comment" });
  for (const page of [one, two]) {
    await page.getByRole("button", { name: "More for the comment of Paolo Marchetti" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await expect(changed(page)).toBeFocused();
  }
  await changed(one).fill("Second thoughts.");
  await expect(changed(two)).toHaveText("Second thoughts.");
  await one.getByRole("button", { name: "Cancel" }).click();
  await expect(changed(one)).toHaveCount(0);
  await expect(changed(two)).toHaveText("First thoughts.");
  expect(faults).toEqual([]);
  await context.close();
});
