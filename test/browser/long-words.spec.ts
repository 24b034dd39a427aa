import { expect, type Page, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { givenSample } from "./samples.ts";

const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);
const cells = Array.from({ length: 40 }, (_one, at) => `<td>column${at}</td>`).join("");
const metadata = {
  title: word,
  version: "v".repeat(190),
  description: `<p>Measured</p><table><tbody><tr>${cells}</tr></tbody></table>`,
  creators: [{ person_or_org: { type: "organizational", name: word }, affiliations: [{ name: word }] }],
  dates: [{ date: "2020", type: { id: "collected" }, description: "on the autumn cruise" }],
};

/** The text of elements that end beyond the box around them, unless that box scrolls. */
const cutIn = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => {
        const around = element.parentElement?.getBoundingClientRect();
        return around && element.getBoundingClientRect().right > around.right + 1;
      })
      .map((element) => element.textContent),
  );

test("long words, file names and wide tables widen neither page, and are not cut off; a date keeps its remark (ux 1, record; web 12)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const eva = await desk.person("eva", "Eva Lund");
  const name = `${word.slice(0, 200)}.txt`;
  const id = await givenSample(eva.server, 0, { isPublished: false, files: { [`raw/${name}`]: Buffer.from("hello") } });
  const path = `/api/records/${id}/draft`;
  const draft = (await eva.server.get(path)).body;
  expect((await eva.server.put(path, { ...draft, metadata: { ...draft.metadata, ...metadata } })).status).toBe(200);
  expect((await eva.server.post(`${path}/actions/publish`)).status).toBe(202);
  const { page, context, faults } = await openWindow(browser, await desk.replica(eva), { path: `/records/${id}` });

  await test.step("the app's page of a record", async () => {
    await expect(page.getByText("Collected: 2020 · on the autumn cruise")).toBeVisible();
    expect(await cutIn(page, "main button, main a")).toEqual([]);
    await page.setViewportSize({ width: 480, height: 800 });
    const table = await page.getByRole("table").first().boundingBox();
    expect((table?.x ?? 0) + (table?.width ?? 0)).toBeLessThanOrEqual(480);
    const texts = page.locator("main").getByText(/^(Donaudampf|Version)/);
    for (const text of await texts.all()) {
      const box = await text.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), await text.innerText()).toBeLessThanOrEqual(480);
    }
  });

  await test.step("the public page", async () => {
    await page.goto(`${desk.server.url}/records/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(480);
  });

  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
