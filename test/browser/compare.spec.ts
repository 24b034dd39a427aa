import { readFile } from "node:fs/promises";
import { expect, type Page, type Response, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { keepMessages } from "./keep-messages.ts";
import { givenOpenDecisions, mine, theirs } from "./open-decisions.ts";
import { givenSample, sampleTitles } from "./samples.ts";

/** Looks at what needs a decision in the sync panel, tells others of it, and decides all of it, each in another way. */
async function decideEverything(page: Page) {
  await page.getByRole("button", { name: "Keep mine for all 4" }).waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save a report" }).click(),
  ]);
  const report = JSON.parse(await readFile(await saved.path(), "utf8"));
  expect(report).toMatchObject({ status: { state: "needs_you" }, tray: [{ kind: "draft.publish" }] });
  expect(report.conflicts).toHaveLength(4);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await keepMessages(page);
  await page.getByRole("button", { name: "Copy details" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  expect(await page.evaluate("navigator.clipboard.readText()")).toContain(report.tray[0].id);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("dialog").getByText("1 change", { exact: true })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Keep both" }).click();
  await page.getByRole("heading", { name: theirs }).getByRole("link").click();
  await expect(page.getByRole("textbox", { name: /^Title/ })).toHaveValue(`${theirs} / ${mine}`);
  const disputes = page.getByRole("note").filter({ hasText: "You also changed this on another computer" });
  await expect(disputes).toHaveCount(3);
  await disputes.first().getByRole("button", { name: "Keep mine" }).click();
  await expect(page.getByRole("textbox", { name: /^Publication date/ })).toHaveValue("2024-06-01");
  await expect(disputes).toHaveCount(2);
  await page.goBack();
  await page.getByRole("button", { name: "Keep mine for all 2" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep mine for all 2" }).click();
  await expect(page.getByText("was changed in two places")).toHaveCount(0);
  await page.goForward();
  await expect(page.getByRole("textbox", { name: /^Publisher/ })).toHaveValue("Moss Press");
}

test("the compare page shows the changes since publication and those of colleagues (ux 1, 5)", async ({ browser }) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const id = await givenSample(karin.server, 2);
  await karin.server.post(`/api/records/${id}/draft`);
  const path = `/api/records/${id}/draft`;
  const { metadata } = (await karin.server.get(path)).body;
  const changed = { ...metadata, title: `${sampleTitles[2]}, corrected`, version: "1.1" };
  await karin.server.put(path, { metadata: changed });
  const other = await givenSample(karin.server, 3, { isPublished: false });
  const review = await karin.server.put(`/api/records/${other}/draft/review`, { receiver: { user: paolo.id } });
  await karin.server.post(`/api/records/${other}/draft/actions/submit-review`, {});
  await paolo.server.post(`/api/requests/${review.body.id}/comments`, {
    payload: { content: "<p>One</p>", format: "html" },
  });
  const { page, context, faults } = await openWindow(browser, await desk.replica(karin), { path: "/" });

  await test.step("the digest counts what others did, until it is closed", async () => {
    const digest = page.getByRole("region", { name: "While you were away" });
    await expect(digest).toContainText("1 comment");
    await digest.getByRole("button", { name: "Dismiss" }).click();
    await expect(digest).toBeHidden();
    await page.reload();
    await page.getByRole("link", { name: /corrected/ }).waitFor();
    await expect(digest).toBeHidden();
  });

  await test.step("turned on in the settings, the computer tells of what others do while the window is not in front, but for muted requests", async () => {
    const say = async (content: string) => {
      const payload = { content: `<p>${content}</p>`, format: "html" };
      const posted = await paolo.server.post(`/api/requests/${review.body.id}/comments`, { payload });
      expect(posted.status).toBe(201);
    };
    // What the system would show is noted instead.
    await context.addInitScript(`
      window.shown = [];
      window.Notification = class {
        static permission = "default";
        static async requestPermission() { this.permission = "granted"; }
        constructor(title) { window.shown.push(title); }
      };
    `);
    await page.goto("/settings/notices");
    await page.getByText("Show notifications while").click();
    await expect(page.getByRole("checkbox", { name: "Show notifications while" })).toBeChecked();
    await page.bringToFront();
    await say("Two");
    await expect(page.getByRole("link", { name: /^Activity.*2/ })).toBeVisible();
    await page.evaluate("document.hasFocus = () => false");
    await say("Three");
    const words = `Paolo Marchetti commented on “${sampleTitles[3]}”`;
    await expect.poll(() => page.evaluate("window.shown")).toEqual([words]);

    const at = (path: string) => page.goto(path);
    await at(`/me/requests/${review.body.id}`);
    await page.getByRole("button", { name: "Mute" }).click();
    await expect(page.getByRole("button", { name: "Unmute" })).toBeVisible();
    await at("/activity");
    await page.evaluate("document.hasFocus = () => false");
    await say("Four");
    await expect(page.getByRole("main").getByRole("link", { name: /commented on/ })).toHaveCount(4);
    await expect(page.getByRole("link", { name: "Activity", exact: true })).toBeVisible();
    expect(await page.evaluate("window.shown")).toEqual([]);
    await at("/");
  });

  await test.step("the draft leads to the comparison; keys go from change to change", async () => {
    await page.getByRole("link", { name: /corrected/ }).click();
    await page.getByRole("link", { name: "Changes since it was published" }).click();
    await expect(page.getByText("2 changes")).toBeVisible();
    await expect(page.locator("ins")).toHaveText(["added: , corrected", "added: 1.1"]);
    await expect(page.getByRole("row")).toHaveCount(3);
    await page.keyboard.press("n");
    await expect(page.getByRole("row", { name: /^Title/ })).toBeFocused();
    await page.keyboard.press("n");
    await expect(page.getByRole("row", { name: /^Version/ })).toBeFocused();
    await page.keyboard.press("p");
    await expect(page.getByRole("row", { name: /^Title/ })).toBeFocused();
    await page.getByText("Show unchanged fields").click();
    await expect(page.getByText("README.md")).toBeVisible();
  });

  await test.step("what the reviewer has commented on is what later changes are shown against, and answered from", async () => {
    const his = await desk.replica(paolo);
    const reviewer = await openWindow(browser, his);
    const at = reviewer.page;
    await at.goto(`${his.url}/me/requests/${review.body.id}?tab=changes`);
    // Nothing is known of what another computer showed, so the first look is the first state to compare with.
    await expect(at.getByText(/Your last review or first look/)).toBeVisible();
    await expect(at.getByText("Nothing changed")).toBeVisible();
    await at.getByRole("tab", { name: "Conversation" }).click();
    await at.getByRole("textbox", { name: "Comment", exact: true }).fill("The title says too little.");
    // The author changes the draft while the comment is on its way: the reviewer has not seen that.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await at.route("**/comments", async (call) => {
      await held;
      await call.continue();
    });
    const [commented] = await Promise.all([
      at.waitForRequest((call) => call.method() === "POST" && call.url().endsWith("/comments")),
      at.getByRole("button", { name: "Comment", exact: true }).click(),
    ]);
    expect(commented.postData()).toContain("too little");
    const path = `/api/records/${other}/draft`;
    const { metadata } = (await karin.server.get(path)).body;
    await karin.server.put(path, { metadata: { ...metadata, title: `${metadata.title}, eight villages` } });
    await at.getByRole("tab", { name: "Changes" }).click();
    await expect(at.getByText("1 change", { exact: true })).toBeVisible();
    const isNote = (answer: Response) => answer.request().method() === "PUT" && answer.url().includes("/desk/reviews/");
    await Promise.all([at.waitForResponse(isNote), release()]);
    await expect(at.getByText("1 change", { exact: true })).toBeVisible();
    desk.proxy.cut();
    await expect(at.getByRole("button", { name: /Offline/ })).toBeVisible();
    // The editor arrives just after its place in the page was drawn.
    const late = Promise.withResolvers<void>();
    await at.route("**/rich-text-area-*.js", async (call) => {
      await late.promise;
      await call.continue();
    });
    await at.reload({ waitUntil: "commit" });
    await at.getByRole("button", { name: "Comment on this change: Title" }).click();
    await at.locator("#compose [class*=loading]").waitFor();
    late.resolve();
    const box = at.getByRole("textbox", { name: "Comment", exact: true });
    await expect(box).toBeFocused();
    await expect(box.getByRole("link", { name: "Title" })).toBeVisible();
    await expect(box).toContainText("eight villages”");

    await at.keyboard.type("Thank you.");
    await at.getByRole("button", { name: "Comment", exact: true }).click();
    await expect(at.getByRole("article").filter({ hasText: "Thank you." })).toContainText("Waiting to send");
    await at.getByRole("button", { name: "Decline" }).click();
    await at.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await at.getByRole("note").getByRole("button", { name: "Withdraw" }).click();
    await expect(at.getByText("Your decision to decline will be sent")).toBeHidden();
    await expect(at.getByRole("button", { name: "Decline" })).toBeVisible();
    desk.proxy.mend();
    await givenOpenDecisions(paolo, his);
    await at.goto(`${his.url}/sync`);
    await decideEverything(at);
    expect(reviewer.faults).toEqual([]);
    await reviewer.context.close();
  });
  await test.step("beside the form, in a narrow window too, the author reads all that was said", async () => {
    const { body } = await paolo.server.get(`/api/requests/${review.body.id}/timeline`);
    for (let index = 0; index < 50; index++) {
      const payload = { content: `<p>Note ${index}</p>`, format: "html" };
      const { status } = await paolo.server.post(`/api/requests/${review.body.id}/comments`, { payload });
      expect(status).toBe(201);
    }
    const [first] = body.hits.hits;
    for (const word of ["one", "two", "three", "four"])
      await paolo.server.post(`/api/requests/${review.body.id}/comments/${first.id}/reply`, {
        payload: { content: `<p>Reply ${word}</p>`, format: "html" },
      });
    await page.setViewportSize({ width: 700, height: 800 });
    await page.goto(`/uploads/${other}`);
    await page.getByRole("button", { name: "Details of this draft" }).click();
    const drawer = page.getByRole("dialog", { name: "Details of this draft" });
    await drawer.getByRole("tab", { name: "Comments" }).click();
    await expect(drawer.getByText("Reply two")).toBeVisible();
    await expect(drawer.getByText("Reply one")).toBeHidden();
    await drawer.getByRole("button", { name: /1 earlier/ }).click();
    await expect(drawer.getByText("Reply one")).toBeVisible();
    await expect(drawer.getByText("Note 49")).toBeHidden();
    await drawer.getByRole("button", { name: "Show later" }).click();
    await expect(drawer.getByText("Note 49")).toBeVisible();
  });
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
