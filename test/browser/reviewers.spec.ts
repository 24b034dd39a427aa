import { expect, type Page, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { keepMessages } from "./keep-messages.ts";
import { givenReview } from "./reviewing.ts";
import { givenSample, sampleTitles } from "./samples.ts";

const title = sampleTitles[0] ?? "";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

async function name(page: Page, person: string): Promise<void> {
  const field = dialog(page).getByRole("combobox", { name: "Reviewer" });
  await field.fill(person.split(" ")[0] ?? "");
  await page.getByRole("option", { name: new RegExp(person) }).click();
}

test("several reviewers are named, one is added offline and one removed, who loses the request (app, missing 6)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const noor = await desk.person("noor", "Noor Haddad");
  await desk.person("eva", "Eva Brandt");
  const id = await givenSample(karin.server, 0, { isPublished: false });
  const karins = await desk.replica(karin);
  const { page, faults } = await openWindow(browser, karins, { path: `/uploads/${id}` });
  await test.step("two people are named at the submission", async () => {
    await button(page, "Submit for review").click();
    await name(page, "Paolo Marchetti");
    await name(page, "Noor Haddad");
    await expect(dialog(page).getByRole("list", { name: "Reviewers" }).getByRole("listitem")).toHaveCount(2);
    await dialog(page).getByRole("button", { name: "Submit for review" }).click();
    await page.waitForURL(/\/me\/requests\//);
    const what = page.getByRole("region", { name: "What is asked" });
    await expect(what).toContainText("Karin Lindqvist asks Paolo Marchetti and Noor Haddad to review this");
  });
  const request = page.url().split("/").pop() ?? "";
  await expect.poll(async () => (await noor.server.get(`/api/requests/${request}`)).status).toBe(200);
  const noors = await openWindow(browser, await desk.replica(noor), { path: `/me/requests/${request}` });
  await test.step("the page of a reviewer begins with what is asked and the first answer", async () => {
    const what = noors.page.getByRole("region", { name: "What is asked" });
    await expect(what.getByRole("button").first()).toHaveText("Accept and publish");
    await expect(what.getByRole("button", { name: "Change reviewers" })).toHaveCount(0);
  });
  await test.step("offline, one is added and another removed", async () => {
    await page.goto(`${karins.url}/me/requests/${request}`);
    await button(page, "Change reviewers").click();
    await dialog(page).getByRole("combobox", { name: "Reviewer" }).fill("Eva");
    await expect(page.getByRole("option", { name: /Eva Brandt/ })).toBeVisible();
    await page.getByRole("option", { name: /Eva Brandt/ }).click();
    await expect(dialog(page).getByRole("listitem").filter({ hasText: "Eva Brandt" })).toContainText("To review");
    desk.proxy.cut();
    await button(page, "Remove Noor Haddad").click();
    await expect(dialog(page).getByRole("listitem")).toHaveCount(2);
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await expect(page.getByText("Karin Lindqvist removed Noor Haddad from the reviewers")).toBeVisible();
  });
  await test.step("on contact the removed reviewer loses the request", async () => {
    desk.proxy.mend();
    await expect.poll(async () => (await noor.server.get(`/api/requests/${request}`)).status).toBe(403);
    await noors.page.goto(noors.page.url().replace(/\/me\/requests\/.*/, "/me/requests"));
    await expect(noors.page.getByText("No requests yet")).toBeVisible();
    expect((await paolo.server.get(`/api/requests/${request}`)).body.title).toBe(title);
  });
  await test.step("a reviewer whose account is deactivated is not said to review (issue 17: To review)", async () => {
    await desk.server.services.users.deactivate(paolo.id);
    const reviewers = page.getByRole("list", { name: "Reviewers" }).getByRole("listitem");
    await expect(reviewers.first()).toContainText("Account deactivated");
    await expect(reviewers.filter({ hasText: "To review" })).toHaveCount(1);
  });
  expect([...faults, ...noors.faults].filter((fault) => !/40[34]|503/.test(fault))).toEqual([]);
  await desk.close();
});

test("the changes since the last review, and a draft that begins with the requested changes (app, missing 6)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const id = await givenSample(karin.server, 0, { isPublished: false });
  const path = `/api/records/${id}/draft`;
  const { body } = await karin.server.put(`${path}/review`, { receiver: { user: paolo.id } });
  await karin.server.post(`${path}/actions/submit-review`);
  const [karins, paolos] = [await desk.replica(karin), await desk.replica(paolo)];
  const reviewer = await openWindow(browser, paolos, { path: `/me/requests/${body.id}` });
  await test.step("the reviewer asks for changes", async () => {
    await button(reviewer.page, "Request changes").click();
    await dialog(reviewer.page).getByRole("textbox").pressSequentially("Please name the gaps.");
    await dialog(reviewer.page).getByRole("button", { name: "Request changes" }).click();
    await expect(reviewer.page.getByText("Paolo Marchetti requested changes")).toBeVisible();
  });
  const author = await openWindow(browser, karins, { path: `/uploads/${id}` });
  await test.step("the draft begins with what was asked, changes, and is handed back", async () => {
    const asked = author.page.getByRole("region", { name: "Requested changes" });
    await expect(asked).toContainText("Changes requested by Paolo Marchetti");
    await expect(asked).toContainText("Please name the gaps.");
    await author.page.getByRole("textbox", { name: "Title" }).fill("Gaps in the northern Adriatic");
    await asked.getByRole("button", { name: "Ready for review again" }).click();
    await dialog(author.page).getByRole("button", { name: "Ready for review again" }).click();
    await expect(asked).toHaveCount(0);
  });
  await test.step("the reviewer sees which fields changed, also without a network", async () => {
    const since = reviewer.page.getByRole("note").filter({ hasText: "Changed since you looked at it" });
    await expect(since).toContainText("Title");
    desk.proxy.cut();
    await reviewer.page.reload();
    await expect(since).toContainText("Title");
    await since.getByRole("link", { name: "See the changes" }).click();
    await expect(reviewer.page.getByRole("row", { name: /Title/ })).toContainText("Gaps");
  });
  await test.step("a decision that was made meanwhile is said in the dialog, before it can be made twice (app 17)", async () => {
    desk.proxy.mend();
    await button(reviewer.page, "Accept and publish").dblclick();
    await expect(dialog(reviewer.page).getByText("The draft is published as it is now.")).toBeVisible();
    await paolo.server.post(`/api/requests/${body.id}/actions/accept`);
    await expect(dialog(reviewer.page).getByText("This request has been answered meanwhile.")).toBeVisible();
    await expect(dialog(reviewer.page).getByRole("button", { name: "Accept and publish" })).toBeDisabled();
  });
  expect([...author.faults, ...reviewer.faults].filter((fault) => !/40[34]|503/.test(fault))).toEqual([]);
  await desk.close();
});

test("after a decision the tabs say why there is nothing to read or compare (reviewer day: words)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const [declined, accepted] = [await givenReview(karin, paolo), await givenReview(karin, paolo)];
  const replica = await desk.replica(paolo);
  const { page, faults } = await openWindow(browser, replica);
  for (const id of [declined, accepted]) {
    await page.goto(`${replica.url}/me/requests/${id}`);
    const name = id === declined ? "Decline" : "Accept and publish";
    await page.getByRole("button", { name, exact: true }).click();
    await keepMessages(page);
    await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
    await expect(page.getByText(id === declined ? "Declined." : "Accepted and published.")).toBeVisible();
    await page.goto(`${replica.url}/me/requests/${id}?tab=changes`);
    await expect(
      page.getByText(
        id === declined
          ? "The review has ended. The draft is open only to its owner and to people with whom it is shared."
          : "This is the first published version.",
      ),
    ).toBeVisible();
    await expect(page.getByText("later changes are shown here")).toHaveCount(0);
  }
  expect(faults).toEqual([]);
  await desk.close();
});

test("a box that takes only entries of its list says so when nothing fits, and one for free text lets the user type on (issue 17: No suggestions. You can keep typing.)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const id = await givenSample(karin.server, 0, { isPublished: false });
  const { page, faults } = await openWindow(browser, await desk.replica(karin), { path: `/uploads/${id}` });
  const listOnly = page.getByText("No match. Only entries of the list can be chosen.");
  const free = page.getByText("No suggestions. You can keep typing.");
  await button(page, "Submit for review").click();
  await dialog(page).getByRole("combobox", { name: "Reviewer" }).fill("zzzz");
  await expect(listOnly).toBeVisible();
  await expect(free).toHaveCount(0);
  await page.goto(page.url());
  await page.getByRole("combobox", { name: "Add a subject or keyword" }).fill("zzzz");
  await expect(free).toBeVisible();
  await expect(listOnly).toHaveCount(0);
  expect(faults).toEqual([]);
  await desk.close();
});
