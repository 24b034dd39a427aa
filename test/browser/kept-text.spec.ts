import { expect, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

const table =
  "<table><caption>Casts</caption><thead><tr><th><p>Station</p></th><th><p>Depth</p></th></tr></thead>" +
  "<tbody><tr><td><p>A1</p></td><td><p>10</p></td></tr></tbody></table>";
const rich = `<h2>Method</h2><p>H<sub>2</sub>O, 10<sup>3</sup>, <strike>wrong</strike></p>${table}<p>The end</p>`;

test("an edited text keeps the headings, tables, raised, lowered and struck letters that the API keeps, and its paragraphs (records 8, H)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  const metadata = {
    description: rich,
    additional_descriptions: [{ description: rich, type: { id: "methods" } }],
    identifiers: [{ identifier: "shelf-12", scheme: "other" }],
    dates: [{ date: "2020", type: { id: "collected" } }],
  };
  const { id } = (await near.post("/api/records", { metadata })).body;
  const saved = async () => (await near.get(`/api/records/${id}/draft`)).body.metadata;
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  const write = async (name: string) => {
    const text = page.getByRole("textbox", { name }).first();
    await text.getByText("The end").click();
    await page.keyboard.press("End");
    await page.keyboard.type(", twice");
  };
  const after = rich.replace("The end", "The end, twice");

  await test.step("the description", async () => {
    await write("Description");
    await expect.poll(async () => (await saved()).description).toBe(after);
  });

  await test.step("a description of another kind, whose row is opened for editing", async () => {
    const block = page.getByRole("group", { name: "Other descriptions" });
    await block.getByRole("button", { name: /^Edit/ }).click();
    await write("Text");
    await block.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await saved()).additional_descriptions[0].description).toBe(after);
  });

  const edit = async (group: string, name: string, text: string) => {
    const block = page.getByRole("group", { name: group });
    await block.getByRole("button", { name: /^Edit/ }).click();
    await block.getByRole("listitem").getByRole("textbox", { name }).fill(text);
    await page.keyboard.press("Enter");
  };

  await test.step("an identifier of no known form keeps its kind; another one gets its own (records 8.3)", async () => {
    await edit("Alternate identifiers", "Identifier", "shelf-13");
    await expect.poll(async () => (await saved()).identifiers).toEqual([{ identifier: "shelf-13", scheme: "other" }]);
    await page.getByRole("button", { name: "Edit shelf-13" }).click();
    await page.getByRole("listitem").getByRole("textbox", { name: "Identifier" }).fill("10.1234/abc");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await saved()).identifiers).toEqual([{ identifier: "10.1234/abc", scheme: "doi" }]);
  });

  await test.step("a date is read as people write it, in a row too (app M26)", async () => {
    await edit("Dates", "Date", "23.11.2026");
    await expect.poll(async () => (await saved()).dates[0].date).toBe("2026-11-23");
  });

  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
