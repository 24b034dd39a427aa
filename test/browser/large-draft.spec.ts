import { expect, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { countRenders, takeRenderCount } from "./render-count.ts";

test("a key in the title does not render 500 creators again (app H5)", async ({ browser }) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.door.secret);
  const rendered: number[] = [];
  for (const count of [5, 500]) {
    const creators = Array.from({ length: count }, (_, n) => ({
      person_or_org: { type: "personal", family_name: `Person ${n}` },
    }));
    const { id } = (await near.post("/api/records", { metadata: { title: "Ice", creators } })).body;
    const { page, context } = await openWindow(browser, replica, { path: `/uploads/${id}` });
    await countRenders(page);
    const title = page.getByRole("textbox", { name: "Title" });
    await title.press("End");
    await page.keyboard.press("s");
    await expect(page.getByText(/Saved on this computer \d/)).toBeVisible();
    await takeRenderCount(page);
    await page.keyboard.press("x");
    await expect(title).toHaveValue("Icesx");
    rendered.push(await takeRenderCount(page));
    await context.close();
  }
  const [few = 0, many = 0] = rendered;
  expect(few).toBeGreaterThan(0);
  // A row with its menu is about a hundred components.
  expect(many).toBeLessThan(few + 20_000);
  await desk.close();
});
