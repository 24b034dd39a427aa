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

test("files of a comment are added, removed, sent and downloaded (requests 9)", async ({ browser }) => {
  const id = await givenReview(karin, paolo);
  const { page, context, faults } = await openWindow(browser, his);
  await page.goto(`${his.url}/me/requests/${id}`);
  const chooser = page.getByRole("button", { name: "Attach files" });
  const files = { "notes.txt": 2000, "wrong.txt": 10, "huge.bin": 10_000_001 };
  const paths = await Promise.all(
    Object.entries(files).map(([name, size]) => desk.file(name, Buffer.alloc(size, "x"))),
  );
  const [fileChooser] = await Promise.all([page.waitForEvent("filechooser"), chooser.click()]);
  await fileChooser.setFiles(paths);
  await expect(page.getByText("Larger than 10 MB")).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await page.getByRole("button", { name: "Remove huge.bin" }).click();
  await page.getByRole("button", { name: "Remove wrong.txt" }).click();
  await expect(page.getByText("Add a comment to send with the files")).toBeVisible();
  await comment(page).fill("My notes are attached.");

  await test.step("a reload keeps words and files", async () => {
    await page.reload();
    await expect(comment(page)).toHaveText("My notes are attached.");
    await expect(page.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove wrong.txt" })).toHaveCount(0);
  });

  await page.getByRole("button", { name: "Comment", exact: true }).click();
  const saved = page.waitForEvent("download");
  await commentWith(page, "My notes are attached.").getByRole("button", { name: "notes.txt" }).click();
  expect((await saved).suggestedFilename()).toBe("notes.txt");
  await expect
    .poll(
      async () => (await karin.server.get(`/api/requests/${id}/timeline?expand=1`)).body.hits.hits[0]?.expanded.files,
    )
    .toMatchObject([{ metadata: { original_filename: "notes.txt" }, size: 2000 }]);

  await test.step("a file is dropped by editing the comment", async () => {
    await commentWith(page, "My notes")
      .getByRole("button", { name: "More for the comment of Paolo Marchetti" })
      .click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Remove notes.txt" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("edited")).toBeVisible();
    await expect(page.getByRole("button", { name: "notes.txt" })).toHaveCount(0);
  });
  expect(faults).toEqual([]);
  await context.close();
});

test("the reviewer locks and unlocks a conversation; offline the page says what needs the server (requests 10)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  const karins = await desk.replica(karin);
  const author = await openWindow(browser, karins);
  await author.page.goto(`${karins.url}/me/requests/${id}`);
  const { page, context, faults } = await openWindow(browser, his);
  await page.goto(`${his.url}/me/requests/${id}`);
  await page.getByRole("button", { name: "Lock conversation" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Lock conversation" }).click();
  await expect(page.getByText("You have locked this conversation.")).toBeVisible();
  await expect(comment(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Decline" })).toBeVisible();
  await expect(author.page.getByText("The reviewer has locked this conversation.")).toBeVisible();
  await expect(author.page.getByRole("button", { name: /ock conversation/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Unlock conversation" }).click();
  // It is unlocked in another window, and locked again: what is asked here stays the same.
  expect((await paolo.server.post(`/api/requests/${id}/unlock`)).status).toBe(204);
  await expect(page.getByText("You have locked this conversation.")).toHaveCount(0);
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Unlock conversation" })).toBeVisible();
  expect((await paolo.server.post(`/api/requests/${id}/lock`)).status).toBe(204);
  await expect(page.getByText("You have locked this conversation.")).toBeVisible();
  await page.getByRole("alertdialog").getByRole("button", { name: "Unlock conversation" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(comment(page)).toBeVisible();

  desk.proxy.cut();
  await expect(page.getByRole("button", { name: /Offline/ })).toBeVisible();
  await page.getByRole("button", { name: "Lock conversation" }).click();
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Lock conversation" })).toBeDisabled();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();

  await test.step("files are attached and read as any (app M16)", async () => {
    await page
      .locator("input[type=file]")
      .last()
      .setInputFiles({
        ...{ name: "gaps.csv", mimeType: "text/csv", buffer: Buffer.from("year\n2003\n") },
      });
    await expect(page.getByRole("list", { name: "Attached files" })).toContainText("gaps.csv");
    await comment(page).fill("The gap as a table.");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await expect(commentWith(page, "The gap as a table.")).toContainText("gaps.csv");
    const saving = page.waitForEvent("download");
    await commentWith(page, "The gap as a table.").getByRole("button", { name: "gaps.csv" }).click();
    expect((await saving).suggestedFilename()).toBe("gaps.csv");
  });

  await test.step("what was not sent yet is changed and deleted as any comment", async () => {
    await comment(page).fill("Too hasty.");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await expect(commentWith(page, "Too hasty.")).toContainText("Waiting to send");
    await commentWith(page, "Too hasty.")
      .getByRole("button", { name: /More for the comment/ })
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByRole("alertdialog")).toContainText("nobody else has read it");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("Too hasty.")).toHaveCount(0);
    await expect(page.getByText("was deleted")).toBeVisible();
  });

  await test.step("or taken back into the editor, a reply into its own", async () => {
    await comment(page).fill("Not yet.");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await commentWith(page, "Not yet.").getByRole("button", { name: "Reply" }).click();
    await page.getByRole("textbox", { name: "Your reply" }).fill("Nor this.");
    await page.getByRole("button", { name: "Send reply" }).click();
    const unsent = commentWith(page, "Nor this.").getByRole("button", { name: "Withdraw" });
    await expect(unsent).toHaveCount(2);
    await unsent.last().click();
    await expect(page.getByRole("textbox", { name: "Your reply" })).toHaveText("Nor this.");
    await page.getByRole("button", { name: "Close" }).click();
    await commentWith(page, "Not yet.").getByRole("button", { name: "Withdraw" }).click();
    await expect(commentWith(page, "Not yet.")).toHaveCount(0);
    await expect(comment(page)).toHaveText("Not yet.");
  });

  await test.step("a decision that came too late says so; its words are taken up again", async () => {
    await page.getByRole("button", { name: "Decline" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await expect(page.getByText("Your decision to decline will be sent")).toBeVisible();
    expect((await karin.server.post(`/api/requests/${id}/actions/cancel`)).status).toBe(200);
    desk.proxy.mend();
    await page.getByRole("link", { name: "See the reason and what you can do" }).click();
    await expect(page.getByText("It came too late: the request had already been cancelled.")).toBeVisible();
    await page.getByRole("button", { name: "Edit and resend" }).click();
    await expect(comment(page)).toHaveText("Not yet.");
    await expect(comment(page)).toBeFocused();
  });
  expect([...faults, ...author.faults]).toEqual([]);
  await context.close();
  await author.context.close();
});

test("the link of a late reply opens its page, scrolls to it and highlights it (requests 8)", async ({ browser }) => {
  const id = await givenReview(karin, paolo);
  let parent = "";
  for (let number = 1; number <= 60; number++) {
    const { body } = await karin.server.post(`/api/requests/${id}/comments`, words(`Remark ${number}.`));
    if (number === 55) parent = body.id;
  }
  const replies: string[] = [];
  for (let number = 1; number <= 7; number++) {
    const { body } = await karin.server.post(
      `/api/requests/${id}/comments/${parent}/reply`,
      words(`Answer ${number}.`),
    );
    replies.push(body.id);
  }
  const { page, context, faults } = await openWindow(browser, his);
  // The first reply is not among the newest five that come with the comment.
  await page.goto(`${his.url}/me/requests/${id}#commentevent-${parent}_${replies[0]}`);
  const reply = page.locator(`#commentevent-${replies[0]}`);
  await expect(reply).toBeInViewport();
  await expect(reply).toBeFocused();
  await expect(page.getByText("Remark 1.", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Show earlier" }).click();
  await expect(page.getByText("Remark 1.", { exact: true })).toHaveCount(1);

  await test.step("of many replies the last three stand there, the others when asked for", async () => {
    await page.goto(`${his.url}/me/requests/${id}#commentevent-${parent}`);
    await page.reload();
    const thread = page.locator(`#commentevent-${parent}`);
    await expect(thread.getByText(/^Answer/)).toHaveText(["Answer 5.", "Answer 6.", "Answer 7."]);
    await thread.getByRole("button", { name: "Show 4 earlier replies" }).click();
    await expect(thread.getByText(/^Answer/)).toHaveCount(7);
  });

  await test.step("the newest of a long conversation is one press away, and the bar at the top stays in place (issue 17)", async () => {
    await page.goto(`${his.url}/me/requests/${id}`);
    await page.reload();
    await page.getByRole("link", { name: "Go to the newest" }).click();
    await expect(page.getByText("Remark 60.", { exact: true })).toBeInViewport();
    await expect(page.getByRole("button", { name: "Search and commands" })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")).toBe(true);
    await page.goto(`${his.url}/settings`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")).toBe(true);
  });

  await test.step("the inbox by keys: j and k go through it, e marks as read, Enter opens (ux 1, requests inbox)", async () => {
    const last = await givenReview(karin, paolo);
    await page.goto(`${his.url}/me/requests`);
    const rows = page.getByRole("list", { name: "Requests" }).getByRole("link");
    // Its own row may arrive after the others, above them.
    await expect(rows.first()).toHaveAttribute("href", new RegExp(last));
    await expect(rows.first().getByRole("img", { name: "Unread" })).toBeVisible();
    await page.keyboard.press("j");
    await expect(rows.first()).toBeFocused();
    await page.keyboard.press("j");
    await expect(rows.nth(1)).toBeFocused();
    await page.keyboard.press("k");
    await page.keyboard.press("e");
    await expect(rows.first().getByRole("img", { name: "Unread" })).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(last));
  });
  expect(faults).toEqual([]);
  await context.close();
});

test("a comment that arrives while the conversation is being read for the first time is shown (hosts-and-sync 8)", async ({
  browser,
}) => {
  const late = "I have just looked at it again.";
  const id = await givenReview(karin, paolo);
  const { page, context, faults } = await openWindow(browser, his);
  const held = await hold(page, "GET", /\/timeline\?/);
  await page.goto(`${his.url}/me/requests/${id}`);
  await expect.poll(() => held.count).toBe(1);
  await expect(page.getByRole("tab", { name: "Conversation" })).toBeVisible();
  // The same event makes the window read the request again, which names its last comment.
  const answered = page.waitForResponse(
    async (response) => response.url().includes(`/requests/${id}?`) && (await response.text()).includes(late),
  );
  await karin.server.post(`/api/requests/${id}/comments`, words(late));
  await answered;
  await held.release();
  await expect(commentWith(page, late)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("a decision while sync is paused says that sync is paused, not that the server is offline (app M8), and is taken back where it was made (issue 17)", async ({
  browser,
}) => {
  const id = await givenReview(karin, paolo);
  for (let at = 1; at <= 8; at++) await karin.server.post(`/api/requests/${id}/comments`, words(`Remark ${at}.`));
  const { page, context, faults } = await openWindow(browser, his);
  await page.goto(`${his.url}/me/requests/${id}`);
  await expect(comment(page)).toBeVisible();
  await his.engine.setPaused(true);
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Sync is paused. Your decision is sent after you resume")).toBeVisible();
  await dialog.getByRole("button", { name: "Decline", exact: true }).click();
  const takeBack = page.getByRole("button", { name: "Withdraw" });
  await expect(takeBack).toBeInViewport();
  await takeBack.click();
  await expect(page.getByRole("button", { name: "Decline", exact: true })).toBeVisible();
  await his.engine.setPaused(false);
  expect(faults).toEqual([]);
  await context.close();
});

test("a later page that a new comment cancels is fetched again (hosts-and-sync 8)", async ({ browser }) => {
  const id = await givenReview(karin, paolo);
  for (let at = 1; at <= 51; at++) await karin.server.post(`/api/requests/${id}/comments`, words(`Remark ${at}.`));
  const { page, context, faults } = await openWindow(browser, his);
  await page.goto(`${his.url}/me/requests/${id}`);
  const articles = page.getByRole("article");
  await expect(articles).toHaveCount(50);
  const held = await hold(page, "GET", /\/timeline\?page=2/);
  await page.getByRole("button", { name: "Show later" }).click();
  await expect.poll(() => held.count).toBe(1);
  const answered = page.waitForResponse(
    async (response) => response.url().includes(`/requests/${id}?`) && (await response.text()).includes("Remark 52."),
  );
  await karin.server.post(`/api/requests/${id}/comments`, words("Remark 52."));
  await answered;
  await held.release();
  await expect(articles).toHaveCount(52);
  expect(faults).toEqual([]);
  await context.close();
});
