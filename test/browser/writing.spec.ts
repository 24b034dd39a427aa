import { expect, test } from "@playwright/test";
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

test.afterAll(async () => {
  await desk.close();
});

test("unsent text is saved: a comment, a reply, an edit (design, ux 8)", async ({ browser }) => {
  const id = await givenReview(karin, paolo);
  const { body } = await paolo.server.post(`/api/requests/${id}/comments`, words("First thoughts."));
  const { page, context, faults } = await openWindow(browser, his);
  await page.goto(`${his.url}/me/requests/${id}`);
  const first = commentWith(page, "First thoughts.");
  await first.getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Your reply" }).fill("A reply half");
  await comment(page).fill("A comment half");
  await page.getByRole("link", { name: "Library" }).click();
  await page.getByRole("button", { name: "New draft" }).first().waitFor();
  await page.goBack();
  await expect(comment(page)).toHaveText("A comment half");
  await commentWith(page, "First thoughts.").getByRole("button", { name: "Reply" }).click();
  await expect(page.getByRole("textbox", { name: "Your reply" })).toHaveText("A reply half");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(commentWith(page, "First thoughts.").getByRole("button", { name: "Reply" })).toBeFocused();

  await page.getByRole("button", { name: "More for the comment of Paolo Marchetti" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const changed = page.getByRole("textbox", { name: "Edit comment" });
  // The editor moves the caret to the end when it gets the focus, which would undo an earlier selection.
  await expect(changed).toBeFocused();
  await changed.fill("Second thoughts.");
  await page.reload();
  await page.getByRole("button", { name: "More for the comment of Paolo Marchetti" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(changed).toHaveText("Second thoughts.");
  // Clicked: a key pressed while the editor still takes the focus would write into it.
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("First thoughts.")).toBeVisible();
  await expect(page.getByRole("button", { name: "More for the comment of Paolo Marchetti" })).toBeFocused();
  expect((await paolo.server.get(`/api/requests/${id}/comments/${body.id}`)).body.revision_id).toBe(1);

  await page.getByRole("button", { name: "More for the comment of Paolo Marchetti" }).click();
  await page.getByRole("menuitem", { name: "Quote" }).click();
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(comment(page)).toBeFocused();
  await page.keyboard.type("Indeed so.");
  await expect(comment(page)).toHaveText(/^A comment half.*First thoughts\..*Indeed so\.$/s);
  await expect(comment(page).locator("blockquote")).toHaveText("First thoughts.");

  await page.getByRole("button", { name: "More for the comment of Paolo Marchetti" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(changed).toBeFocused();
  await page.keyboard.type(" And more.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("First thoughts. And more.")).toBeVisible();
  await expect(changed).toHaveCount(0);
  await expect(page.getByRole("button", { name: "More for the comment of Paolo Marchetti" })).toBeFocused();
  expect(faults).toEqual([]);
  await context.close();
});

test("an editor that loads just after it was asked for is shown late: it opens and takes the focus (app 17)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  const { page, context, faults } = await openWindow(browser, his);
  const area = await hold(page, "GET", /rich-text-area/);
  await page.goto(`${his.url}/me/requests/${id}?tab=record`);
  await page.getByRole("button", { name: "Comment on Title" }).click();
  // React shows what loads within 300 ms of the waiting sign only when that time is over.
  await page.locator("[class*=loading]").waitFor();
  await area.release();
  const editor = page.getByRole("textbox", { name: "Your comment on Title" });
  await expect(editor).toBeFocused();
  await page.keyboard.type("Too long");
  await expect(editor).toHaveText("Too long");
  expect(faults).toEqual([]);
  await context.close();
});

test("text typed while a comment is being sent is a new comment; a refused comment comes back (design, ux 8)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  const { page, context } = await openWindow(browser, his, { path: "/" });
  const answers: ((isRefused?: boolean) => void)[] = [];
  await page.route(`**/api/requests/${id}/comments`, async (route) => {
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    answers.push(resolve);
    const response = answers.length === 3 ? undefined : await route.fetch();
    if (await promise) return route.fulfill({ status: 400, json: { status: 400, message: "No room on the disk." } });
    return route.fulfill({ response });
  });
  const answer = async (number: number, isRefused?: boolean) => {
    await expect.poll(() => answers.length).toBe(number);
    answers[number - 1]?.(isRefused);
  };
  await page.goto(`${his.url}/me/requests/${id}`);
  await comment(page).click();
  for (const text of ["First.", "Second.", "Third."]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Control+Enter");
  }
  await page.keyboard.type("Fourth.");
  await expect(commentWith(page, "First.")).toBeVisible();
  await answer(1);
  await expect(commentWith(page, "Second.")).toBeVisible();
  await answer(2);
  await expect(comment(page)).toHaveText("Fourth.");
  await answer(3, true);
  await expect(page.getByText("No room on the disk.")).toBeVisible();
  await expect(comment(page)).toHaveText("Third.Fourth.");
  await page.reload();
  await expect(comment(page)).toHaveText("Third.Fourth.");
  await expect(commentWith(page, "First.")).toHaveCount(1);
  await expect(commentWith(page, "Second.")).toHaveCount(1);
  await context.close();
});

test("a user who returns to a request while a comment is being sent finds only the text that was not sent (design, ux 8)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  const { page, context } = await openWindow(browser, his);
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**/api/requests/${id}/comments`, async (route) => {
    const response = await route.fetch();
    await isAnswered;
    await route.fulfill({ response });
  });
  await page.goto(`${his.url}/me/requests/${id}`);
  await comment(page).fill("Under way.");
  await page.getByRole("button", { name: "Comment", exact: true }).press("Enter");
  await expect(comment(page)).toBeFocused();
  await page.keyboard.type("Meanwhile.");
  await page.getByRole("link", { name: "Requests" }).first().click();
  await page.locator(`a[href$="/me/requests/${id}"]`).click();
  await expect(commentWith(page, "Under way.")).toBeVisible();
  await expect(comment(page)).toHaveCount(0);
  answer();
  await expect(comment(page)).toHaveText("Meanwhile.");
  await page.reload();
  await expect(comment(page)).toHaveText("Meanwhile.");
  await context.close();
});

test("text typed in one request stays there when another request is opened (design, ux 8)", async ({ browser }) => {
  const [one, other] = [await givenReview(karin, paolo), await givenReview(karin, paolo)];
  const { page, context } = await openWindow(browser, his);
  await page.goto(`${his.url}/me/requests/${other}`);
  await expect(comment(page)).toBeVisible();
  await page.getByRole("link", { name: "Requests" }).first().click();
  await page.locator(`a[href$="/me/requests/${one}"]`).click();
  await comment(page).fill("For the first alone.");
  await page.evaluate("history.go(-2)");
  await page.waitForURL(`**/me/requests/${other}`);
  await expect(comment(page)).toHaveText("");
  await page.goForward();
  await page.locator(`a[href$="/me/requests/${one}"]`).click();
  await expect(comment(page)).toHaveText("For the first alone.");
  await context.close();
});

test("a key that follows another at once acts where the cursor is by then, before the browser announces it (app 17)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  const { page, context, faults } = await openWindow(browser, his);
  await page.goto(`${his.url}/me/requests/${id}`);
  await comment(page).click();
  await page.keyboard.type("From one.");
  await page.keyboard.press("Home");
  await expect(comment(page)).toHaveText("From one.");
  // Within one task, as when both keys wait for a busy window: the event that announces the cursor follows later.
  await comment(page).evaluate((box) => {
    getSelection()?.modify("move", "forward", "documentboundary");
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, bubbles: true, cancelable: true }));
  });
  await page.keyboard.type("From two.");
  await expect(comment(page).locator("p")).toHaveText(["From one.", "From two."]);
  expect(faults).toEqual([]);
  await context.close();
});
