import { expect, test } from "@playwright/test";
import { Desk } from "./desk.ts";
import { givenSample } from "./samples.ts";
import { openSeat } from "./seats.ts";

test("an edit of the copyright keeps its link (records 8: copyright is H; issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const person = await desk.person("eva", "Eva Lund");
  const id = await givenSample(person.server, 0, { isPublished: false });
  const path = `/api/records/${id}/draft`;
  const { metadata } = (await person.server.get(path)).body;
  const copyright = '© 2024 <a href="https://example.org/terms">Institute of Tides</a>';
  expect((await person.server.put(path, { metadata: { ...metadata, copyright } })).status).toBe(200);
  const { page, context, faults } = await openSeat(browser, desk, person, "server", `/uploads/${id}`);
  const field = page.getByRole("textbox", { name: "Copyright" });
  await field.click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("Since ");
  const stored = async () => (await person.server.get(path)).body.metadata.copyright;
  await expect.poll(stored).toContain("Since © 2024");
  expect(await stored()).toContain('href="https://example.org/terms"');
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
