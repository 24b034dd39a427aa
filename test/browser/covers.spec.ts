import { expect, type Page, test } from "@playwright/test";
import { Desk } from "./desk.ts";
import { hostileFiles } from "./preview-samples.ts";
import { givenSample } from "./samples.ts";
import { appHosts, openSeat } from "./seats.ts";

let desk: Desk;
test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(() => desk.close());

/** Whether a canvas shows more than blank paper. */
const isPrinted = (page: Page) =>
  page
    .locator("canvas[data-drawn]")
    .first()
    .evaluate((element) => {
      const sheet = element as unknown as { width: number; height: number; getContext(kind: "2d"): Drawing };
      return sheet
        .getContext("2d")
        .getImageData(0, 0, sheet.width, sheet.height)
        .data.some((value, at) => at % 4 < 3 && value < 128);
    });
interface Drawing {
  getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
}

for (const host of appHosts)
  test(`on the ${host}, a record without a picture shows the first page of its PDF, and a mark where it cannot be read (app, look)`, async ({
    browser,
  }) => {
    const person = await desk.person(`reader-${host}`, "Karin Lindqvist");
    const paper = hostileFiles["paper.pdf"] ?? Buffer.alloc(0);
    const whole = await givenSample(person.server, 0, { files: { "paper.pdf": paper } });
    const broken = await givenSample(person.server, 1, { files: { "paper.pdf": Buffer.from("%PDF-1.4\n%%EOF\n") } });
    const { page, context, faults, go } = await openSeat(browser, desk, person, host);
    const place = host === "server" ? "/me/records" : "/records";
    await go(`${place}/${whole}`);
    await expect(page.locator("canvas[data-drawn]")).toHaveCount(1);
    expect(await isPrinted(page)).toBe(true);
    await go(`${place}/${broken}`);
    await expect(page.locator("[class*=cover] svg")).toHaveCount(1);
    await expect(page.locator("canvas")).toHaveCount(0);
    expect(faults).toEqual([]);
    await context.close();
  });
