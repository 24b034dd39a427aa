import { expect, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

test("Ctrl+Z takes back the draft's last step, Ctrl+Y does it again; the steps outlast a look elsewhere (app H6)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  const creators = ["Alpha", "Beta"].map((family_name) => ({ person_or_org: { type: "personal", family_name } }));
  const { id } = (await near.post("/api/records", { metadata: { title: "Ice cores", creators } })).body;
  const { page, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  const title = page.getByRole("textbox", { name: "Title" });
  const rows = page.getByRole("grid", { name: "Creators" }).getByRole("row");
  const stored = () =>
    expect.poll(async () => {
      const { metadata } = (await near.get(`/api/records/${id}/draft`)).body;
      return [metadata.title, metadata.creators.length];
    });

  await test.step("removing a creator", async () => {
    await page.getByRole("button", { name: "More for Beta" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await expect(rows).toHaveText([/Alpha/]);
    await page.keyboard.press("Control+z");
    await expect(rows).toHaveText([/Alpha/, /Beta/]);
    await page.keyboard.press("Control+y");
    await expect(rows).toHaveText([/Alpha/]);
    await stored().toEqual(["Ice cores", 1]);
  });

  await test.step("typing, from the field itself", async () => {
    await title.fill("Ice cores of 2003");
    await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
    await title.press("Control+z");
    await expect(title).toHaveValue("Ice cores");
    await title.press("Control+Shift+z");
    await expect(title).toHaveValue("Ice cores of 2003");
    await stored().toEqual(["Ice cores of 2003", 1]);
  });

  await test.step("a text that is no field of the draft keeps its own undo", async () => {
    const subjects = page.getByRole("combobox", { name: "Add a subject or keyword" });
    await subjects.pressSequentially("gla");
    await subjects.press("Control+z");
    await expect(title).toHaveValue("Ice cores of 2003");
    await subjects.fill("");
  });

  await test.step("typing in a rich text, with the steps of the draft", async () => {
    const description = page.getByRole("textbox", { name: "Description" });
    await description.pressSequentially("From the north");
    await expect(description).toHaveText("From the north");
    // A pause while typing begins another step.
    for (let left = await description.innerText(); left.trim() !== ""; left = await description.innerText()) {
      await description.press("Control+z");
      await expect(description).not.toHaveText(left);
    }
    await expect(title).toHaveValue("Ice cores of 2003");
    await description.press("Control+y");
    await expect(description).toHaveText(/^From/);
    await description.press("Control+z");
    await expect(description).toHaveText("");
  });

  await test.step("after another page", async () => {
    await page.getByRole("link", { name: "Library" }).first().click();
    await expect(title).toHaveCount(0);
    await page.goBack();
    await expect(title).toHaveValue("Ice cores of 2003");
    await page.keyboard.press("Control+z");
    await expect(title).toHaveValue("Ice cores");
    await page.keyboard.press("Control+z");
    await expect(rows).toHaveText([/Alpha/, /Beta/]);
    await stored().toEqual(["Ice cores", 2]);
  });
  expect(faults).toEqual([]);
  await desk.close();
});

test("undo takes back what one did oneself and leaves what a colleague changed meanwhile (app H6, hosts-and-sync 4)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const metadata = { title: "Ice cores", publisher: "CNR", description: "<p>From the north.</p>" };
  const { id } = (await karin.server.post("/api/records", { metadata })).body;
  const replica = await desk.replica(karin);
  const { page, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  const title = page.getByRole("textbox", { name: "Title" });
  const stored = async () => (await karin.server.get(`/api/records/${id}/draft`)).body.metadata;
  await title.fill("Ice cores of 2003");
  await expect.poll(async () => (await stored()).title).toBe("Ice cores of 2003");

  const changed = { ...(await stored()), publisher: "CERN", description: "<p>From the north and the south.</p>" };
  expect((await karin.server.put(`/api/records/${id}/draft`, { metadata: changed })).status).toBe(200);
  await expect(page.getByRole("textbox", { name: "Publisher" })).toHaveValue("CERN");
  // From the text that the colleague changed.
  await page.getByRole("textbox", { name: "Description" }).press("Control+z");
  await expect(title).toHaveValue("Ice cores");
  await expect(page.getByRole("textbox", { name: "Publisher" })).toHaveValue("CERN");
  await expect
    .poll(stored)
    .toMatchObject({ title: "Ice cores", publisher: "CERN", description: "<p>From the north and the south.</p>" });
  expect(faults).toEqual([]);
  await desk.close();
});
