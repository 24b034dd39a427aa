import { expect, type Locator, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { linesOf } from "./fits.ts";
import { givenReview } from "./reviewing.ts";
import { openSeat } from "./seats.ts";

// What a person reads in a window of 480 px, beyond that it fits (screens.spec.ts).

const phone = { width: 480, height: 800 };

test("the time of an event is not broken (issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const id = await givenReview(karin, paolo);
  const replica = await desk.replica(paolo);
  const { page, context } = await openWindow(browser, replica);
  await page.clock.setFixedTime(Date.now() + 14 * 60_000);
  await page.setViewportSize(phone);
  await page.goto(`${replica.url}/me/requests/${id}`);
  const line = page.getByText("Karin Lindqvist asked Paolo Marchetti for a review").locator("..");
  const time = line.getByText("14 minutes ago");
  await expect(time).toBeVisible();
  expect(await linesOf(time)).toBe(1);
  await context.close();
  await desk.close();
});

test("a figure of the storage is nearer to its own label than to the next one (issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const { page, faults } = await openSeat(browser, desk, boss, "server", "/administration/storage");
  await page.setViewportSize(phone);
  const facts = page.getByRole("main").locator("dl").first();
  await expect(facts).toBeVisible();
  const edges = (part: Locator) =>
    part.evaluate((element) => [element.getBoundingClientRect().top, element.getBoundingClientRect().bottom]);
  const [, endOfLabel = 0] = await edges(facts.locator("dt").first());
  const [figure = 0, endOfFigure = 0] = await edges(facts.locator("dd").first());
  const [nextLabel = 0] = await edges(facts.locator("dt").nth(1));
  expect(nextLabel - endOfFigure).toBeGreaterThan(2 * (figure - endOfLabel));
  expect(faults).toEqual([]);
  await desk.close();
});
