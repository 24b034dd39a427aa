import { expect, type Page, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePicture } from "./picture.ts";
import { givenSample } from "./samples.ts";

const title = (page: Page) => page.getByRole("textbox", { name: "Title", exact: false }).first();

test("two users in one draft see each other, each other's field, and what the other types (hosts-and-sync 4, 6; ux 1)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const id = await givenSample(karin.server, 3, { isPublished: false });
  const grant = { grants: [{ subject: { type: "user", id: paolo.id }, permission: "edit" }] };
  const shared = await karin.server.post(`/api/records/${id}/access/grants`, grant);
  expect(shared.status, shared.text).toBe(201);
  const [karins, paolos] = [await desk.replica(karin), await desk.replica(paolo)];
  const [one, two] = [await openWindow(browser, karins), await openWindow(browser, paolos)];
  await one.page.goto(`${karins.url}/uploads/${id}`);
  await two.page.goto(`${paolos.url}/uploads/${id}`);
  const before = "Interview transcripts: living with coastal retreat";
  await expect(title(one.page)).toHaveValue(before);
  await expect(title(two.page)).toHaveValue(before);

  await test.step("who is here, and where", async () => {
    await expect(one.page.getByRole("button", { name: "Paolo Marchetti is here" })).toBeVisible();
    await title(two.page).focus();
    await expect(one.page.getByText("Paolo Marchetti is in this field")).toBeVisible();
    await expect(two.page.getByRole("button", { name: "Karin Lindqvist is here" })).toBeVisible();
    await takePicture(one.page, "draft-together-light");
  });

  await test.step("the way to the other leads into a group that was never unfolded", async () => {
    await two.page.locator("summary", { hasText: "References" }).click();
    await two.page.getByRole("textbox", { name: "Reference" }).focus();
    const references = one.page.locator("details", { hasText: "References" });
    await expect(references).not.toHaveAttribute("open");
    await one.page.getByRole("button", { name: "Paolo Marchetti is here, in References" }).click();
    await expect(references.locator(":focus")).toBeVisible();
    await title(two.page).focus();
  });

  await test.step("what one types is at the other's, the cursor of the other staying at its letter", async () => {
    await title(one.page).focus();
    await one.page.keyboard.press("Home");
    await two.page.keyboard.press("End");
    await two.page.keyboard.type(" (draft)");
    await expect(title(one.page)).toHaveValue(`${before} (draft)`);
    await one.page.keyboard.type("New: ");
    await expect(title(two.page)).toHaveValue(`New: ${before} (draft)`);
    await two.page.keyboard.type("!");
    await expect(title(one.page)).toHaveValue(`New: ${before} (draft)!`);
  });

  await test.step("each letter is at the other's by itself, before the next is typed", async () => {
    const seenAfterMs: number[] = [];
    for (const letter of ["a", "b", "c", "d", "e"]) {
      const begin = Date.now();
      await two.page.keyboard.type(letter);
      await expect(title(one.page)).toHaveValue(new RegExp(`${letter}$`));
      seenAfterMs.push(Date.now() - begin);
    }
    test.info().annotations.push({ type: "seen after", description: `${seenAfterMs.join(", ")} ms` });
    for (const _ of seenAfterMs) await two.page.keyboard.press("Backspace");
    await expect(title(one.page)).toHaveValue(/!$/);
  });

  await test.step("both type at once: nothing of either is lost or doubled", async () => {
    await one.page.keyboard.press("Home");
    await Promise.all([
      one.page.keyboard.type("Alpha beta. ", { delay: 80 }),
      two.page.keyboard.type(" Psi omega.", { delay: 80 }),
    ]);
    const both = `Alpha beta. New: ${before} (draft)! Psi omega.`;
    await expect(title(one.page)).toHaveValue(both);
    await expect(title(two.page)).toHaveValue(both);
    await expect.poll(async () => (await karin.server.get(`/api/records/${id}/draft`)).body.metadata.title).toBe(both);
  });

  await test.step("who leaves is gone; without a line nobody is seen", async () => {
    await two.page.goto(`${paolos.url}/`);
    await expect(one.page.getByRole("button", { name: /Paolo Marchetti is/ })).toHaveCount(0);
  });

  await test.step("a user with the level `edit` on another's record is offered editing, not sharing (records 2)", async () => {
    expect((await karin.server.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
    const answered = two.page.waitForResponse(new RegExp(`/${id}/access/grants`));
    await two.page.goto(`${paolos.url}/records/${id}`);
    expect((await answered).status()).toBe(403);
    const edit = two.page.getByRole("button", { name: "Edit", exact: true });
    await expect(edit).toBeVisible();
    await expect(two.page.getByRole("button", { name: "Share" })).toHaveCount(0);
    await edit.click();
    await expect(title(two.page)).toHaveValue(/^Alpha beta/);
    await expect(two.page).toHaveURL(/\/uploads\//);
    await two.page.getByRole("button", { name: "More for this draft" }).click();
    await expect(two.page.getByRole("menuitem", { name: "Share" })).toBeDisabled();
    await two.page.keyboard.press("Escape");
  });

  await test.step("who reviews a new version is not offered to edit the one before (records 2)", async () => {
    const first = await givenSample(karin.server, 2);
    const path = `/api/records/${(await karin.server.post(`/api/records/${first}/versions`)).body.id}/draft`;
    const { metadata } = (await karin.server.get(path)).body;
    await karin.server.put(path, { metadata: { ...metadata, publication_date: "2025" }, files: { enabled: false } });
    await karin.server.put(`${path}/review`, { receiver: { user: paolo.id } });
    expect((await karin.server.post(`${path}/actions/submit-review`)).status).toBe(202);
    const near = new HttpClient(paolos.url, paolos.guard.secret);
    await expect.poll(async () => (await near.get(path)).body.status).toBe("in_review");
    // The page before makes the same call for another record; its answer is ignored.
    const own = `/api/user/records?size=1&allversions=true&q=${encodeURIComponent(`id:"${first}"`)}`;
    expect((await near.get(own)).body.hits.total).toBe(0);
    const answered = two.page.waitForResponse((response) => response.url().endsWith(own));
    await two.page.goto(`${paolos.url}/records/${first}`);
    await (await answered).finished();
    await two.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    await expect(two.page.getByRole("button", { name: "Copy to a new draft" })).toBeVisible();
    for (const name of ["Edit", "New version", "Share"])
      await expect(two.page.getByRole("button", { name, exact: true })).toHaveCount(0);
  });
  expect([...one.faults, ...two.faults]).toEqual([]);
  await one.context.close();
  await two.context.close();
  await desk.close();
});
