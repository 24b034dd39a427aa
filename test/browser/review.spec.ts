import { expect, type Page, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { Keyboard } from "./keyboard.ts";
import { givenSample, sampleTitles } from "./samples.ts";

const title = sampleTitles[0] ?? "";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const comment = (page: Page) => page.getByRole("textbox", { name: "Comment", exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

/** The texts of the conversation, from top to bottom. */
const conversation = (page: Page) => page.getByRole("list", { name: "Conversation" });

/** Fails if the mouse was used in this window. */
async function forbidPointer(page: Page, faults: string[]): Promise<void> {
  await page.exposeFunction("tellPointer", () => void faults.push("a pointer was used"));
  await page.evaluate(`addEventListener("pointerdown", () => window.tellPointer(), true)`);
}

/** Requests a review of the open draft. */
async function askForReview(keys: Keyboard, word: string): Promise<void> {
  const { page } = keys;
  await keys.press(button(page, "Submit for review"));
  await keys.to(page.getByRole("combobox", { name: "Reviewer" }));
  await keys.type("Paolo");
  await expect(page.getByRole("option", { name: /Paolo Marchetti/ })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await keys.to(dialog(page).getByRole("textbox", { name: "Message to the reviewers" }));
  await keys.type(word);
  await keys.press(dialog(page).getByRole("button", { name: "Submit for review" }));
  await page.waitForURL(/\/me\/requests\//);
  await expect(page.getByText(word)).toBeVisible();
}

test("a review by keyboard alone: read and declined offline, commented, resubmitted, accepted, published", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const id = await givenSample(karin.server, 0, { isPublished: false });
  const [karins, paolos] = [await desk.replica(karin), await desk.replica(paolo)];
  const author = await openWindow(browser, karins);
  const reviewer = await openWindow(browser, paolos, { path: "/" });
  await author.page.goto(`${karins.url}/uploads/${id}`);
  for (const { page, faults } of [author, reviewer]) await forbidPointer(page, faults);
  const [authorKeys, reviewerKeys] = [new Keyboard(author.page), new Keyboard(reviewer.page)];
  const { page } = reviewer;

  await test.step("the depositor asks for a review", () => askForReview(authorKeys, "Please check the units."));

  await test.step("the reviewer reads the draft without a network", async () => {
    await reviewerKeys.press(page.getByRole("link", { name: "Requests" }));
    await expect(page.getByRole("link", { name: new RegExp(title) })).toBeVisible();
    desk.proxy.cut();
    await expect(page.getByRole("button", { name: /Offline/ })).toBeVisible();
    await reviewerKeys.press(page.getByRole("link", { name: new RegExp(title) }));
    await expect(page.getByText("Please check the units.")).toBeVisible();
    await reviewerKeys.to(page.getByRole("tab", { name: "Conversation" }));
    await page.keyboard.press("ArrowRight");
    await expect(page.getByText("gap-filled").first()).toBeVisible();
    await page.keyboard.press("ArrowLeft");
  });

  await test.step("writes two comments and a reply, and declines with a reason", async () => {
    for (const words of ["The units are right.", "The gap in 2003 is not explained."]) {
      await reviewerKeys.to(comment(page));
      await reviewerKeys.type(words);
      await page.keyboard.press("Control+Enter");
      await expect(page.getByRole("article").filter({ hasText: words })).toContainText("Waiting to send");
    }
    const first = page.getByRole("article").filter({ hasText: "The units are right." });
    await reviewerKeys.press(first.getByRole("button", { name: "Reply" }), { back: true });
    await expect(first.getByRole("textbox", { name: "Your reply" })).toBeFocused();
    await reviewerKeys.type("But see the second column.");
    await page.keyboard.press("Control+Enter");
    await expect(first.getByRole("button", { name: "Reply" })).toBeFocused();
    await reviewerKeys.press(button(page, "Decline"), { back: true });
    await expect(dialog(page).getByText("Your decision is sent when it can")).toBeVisible();
    await expect(dialog(page).getByRole("textbox")).toBeFocused();
    await reviewerKeys.type("Please explain the gap.");
    await reviewerKeys.press(dialog(page).getByRole("button", { name: "Decline" }));
    await expect(page.getByText("Your decision to decline will be sent")).toBeVisible();
    await expect(page.getByText("In review").first()).toBeVisible();
  });

  await test.step("online again everything arrives by itself, in order", async () => {
    desk.proxy.mend();
    await expect(conversation(author.page)).toHaveText(
      /check the units.*units are right.*see the second column.*gap in 2003 is not explained.*declined the request.*explain the gap/s,
    );
    await expect(author.page.getByText("Declined").first()).toBeVisible();
    await expect(page.getByText("Waiting to send")).toHaveCount(0);
    await expect(page.getByText("Declined").first()).toBeVisible();
  });

  await test.step("the depositor answers and resubmits", async () => {
    const gap = author.page.getByRole("article").filter({ hasText: "The gap in 2003" });
    await authorKeys.press(gap.getByRole("button", { name: "Reply" }));
    await expect(gap.getByRole("textbox", { name: "Your reply" })).toBeFocused();
    await authorKeys.type("The buoy was in repair.");
    await author.page.keyboard.press("Control+Enter");
    await expect(page.getByText("The buoy was in repair.")).toBeVisible();
    await authorKeys.to(author.page.getByRole("tab", { name: "Conversation" }), { back: true });
    await author.page.keyboard.press("ArrowRight");
    await authorKeys.press(author.page.getByRole("link", { name: title }));
    await author.page.waitForURL(/\/uploads\//);
    await askForReview(authorKeys, "The gap is explained now.");
  });

  await test.step("the reviewer accepts, and the record is published", async () => {
    await reviewerKeys.press(page.getByRole("link", { name: "Requests" }), { back: true });
    await reviewerKeys.press(page.getByRole("link", { name: /In review/ }));
    await expect(page.getByText("The gap is explained now.")).toBeVisible();
    await reviewerKeys.press(button(page, "Accept and publish"));
    await expect(dialog(page).getByRole("textbox")).toBeFocused();
    await reviewerKeys.press(dialog(page).getByRole("button", { name: "Accept and publish" }));
    await expect(page.getByText("Paolo Marchetti accepted the request")).toBeVisible();
    expect((await paolo.server.get(`/api/records/${id}`)).body.is_published).toBe(true);
    await expect(author.page.getByText("Paolo Marchetti accepted the request")).toBeVisible();
    await authorKeys.press(author.page.getByRole("link", { name: "Open the record" }), { back: true });
    await author.page.waitForURL(/\/records\//);
  });
  expect([...author.faults, ...reviewer.faults]).toEqual([]);
  await desk.close();
});
