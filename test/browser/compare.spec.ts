import { expect, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { givenSample, sampleTitles } from "./samples.ts";
import { givenTrouble, mine, theirs } from "./trouble.ts";

test("what changed since it was published, and what colleagues did meanwhile (ux 1, 5)", async ({ browser }) => {
  test.setTimeout(180_000);
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
  const { page, context, faults } = await openWindow(browser, await desk.replica(karin));

  await test.step("the digest counts what others did, until it is closed", async () => {
    const digest = page.getByRole("region", { name: "While you were away" });
    await expect(digest).toContainText("1 comment");
    await digest.getByRole("button", { name: "I have seen this" }).click();
    await expect(digest).toBeHidden();
    await page.reload();
    await page.getByRole("link", { name: /corrected/ }).waitFor();
    await expect(digest).toBeHidden();
  });

  await test.step("the draft leads to the comparison; keys go from change to change", async () => {
    await page.getByRole("link", { name: /corrected/ }).click();
    await page.getByRole("link", { name: "What changed since it was published" }).click();
    await expect(page.getByText("2 changes")).toBeVisible();
    await expect(page.locator("ins")).toHaveText(["added: , corrected", "added: 1.1"]);
    await expect(page.getByRole("row")).toHaveCount(3);
    await page.keyboard.press("n");
    await expect(page.getByRole("row", { name: /^Title/ })).toBeFocused();
    await page.keyboard.press("n");
    await expect(page.getByRole("row", { name: /^Version/ })).toBeFocused();
    await page.keyboard.press("p");
    await expect(page.getByRole("row", { name: /^Title/ })).toBeFocused();
    await page.getByText("Show what stayed the same").click();
    await expect(page.getByText("README.md")).toBeVisible();
  });

  await test.step("what the reviewer has commented on is what later changes are shown against, and answered from", async () => {
    const his = await desk.replica(paolo);
    const reviewer = await openWindow(browser, his);
    const at = reviewer.page;
    await at.goto(`${his.url}/me/requests/${review.body.id}?tab=changes`);
    await expect(at.getByText("This is the first version.")).toBeVisible();
    await at.getByRole("tab", { name: "Conversation" }).click();
    await at.getByRole("textbox", { name: "Comment", exact: true }).fill("The title says too little.");
    await at.getByRole("button", { name: "Comment", exact: true }).click();
    await at.getByRole("tab", { name: "Changes" }).click();
    await expect(at.getByText("Nothing changed")).toBeVisible();
    const path = `/api/records/${other}/draft`;
    const { metadata } = (await karin.server.get(path)).body;
    await karin.server.put(path, { metadata: { ...metadata, title: `${metadata.title}, eight villages` } });
    await expect(at.getByText("1 change", { exact: true })).toBeVisible({ timeout: 20_000 });
    desk.proxy.cut();
    await expect(at.getByRole("button", { name: /Offline/ })).toBeVisible({ timeout: 20_000 });
    await at.reload();
    await at.getByRole("button", { name: "Comment on this change: Title" }).click();
    const box = at.getByRole("textbox", { name: "Comment", exact: true });
    await expect(box).toBeFocused();
    await expect(box.getByRole("link", { name: "Title" })).toBeVisible();
    await expect(box).toContainText("eight villages”");

    await at.keyboard.type("Thank you.");
    await at.getByRole("button", { name: "Comment", exact: true }).click();
    await expect(at.getByRole("article").filter({ hasText: "Thank you." })).toContainText("Waiting to send");
    await at.getByRole("button", { name: "Decline" }).click();
    await at.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await at.getByRole("note").getByRole("button", { name: "Take back" }).click();
    await expect(at.getByText("Your decision to decline will be sent")).toBeHidden();
    await expect(at.getByRole("button", { name: "Decline" })).toBeVisible();
    desk.proxy.mend();
    await givenTrouble(paolo, his);
    await at.goto(`${his.url}/sync`);
    await expect(at.getByRole("button", { name: "Keep mine for all 2" })).toBeVisible();
    await at.getByRole("button", { name: "Keep both" }).click();
    await at.getByRole("link", { name: /Publication date was changed/ }).click();
    await expect(at.getByRole("textbox", { name: /^Title/ })).toHaveValue(`${theirs} / ${mine}`);
    await expect(at.getByRole("note").filter({ hasText: "You changed this on another computer" })).toHaveCount(1);
    await at.getByRole("button", { name: "Keep mine" }).click();
    await expect(at.getByRole("textbox", { name: /^Publication date/ })).toHaveValue("2024-06-01");
    expect(reviewer.faults).toEqual([]);
    await reviewer.context.close();
  });
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
