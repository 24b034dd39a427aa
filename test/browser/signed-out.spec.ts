import { expect, test } from "@playwright/test";
import { Desk } from "./desk.ts";
import { openSeat } from "./seats.ts";

test("a signed-out window asks nothing by itself, and goes on once the user has signed in elsewhere and is back (web 5; issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const ada = await desk.person("ada", "Ada Mohr");
  const { page, context, url } = await openSeat(browser, desk, ada, "server");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.install();
  await page.goto("/me/uploads");
  await expect(page.getByRole("heading", { name: "Library", level: 1 }).first()).toBeVisible();

  expect((await context.request.post("/sign-out", { form: {}, headers: { Origin: url } })).ok()).toBe(true);
  // The stream ends with the next event, and is refused when the browser opens it again.
  expect((await ada.server.post("/api/records", { metadata: { title: "Elsewhere" } })).status).toBe(201);
  await expect(page.getByRole("heading", { name: "You are signed out" }).first()).toBeVisible();
  await page.clock.runFor(4000);
  asked.length = 0;
  await page.clock.runFor(12_000);
  await page.evaluate(() => fetch("/robots.txt"));
  expect(asked).toEqual(["/robots.txt"]);

  const elsewhere = await openSeat(browser, desk, ada, "server");
  await context.addCookies(await elsewhere.context.cookies());
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(page.getByRole("button", { name: "New draft" }).first()).toBeVisible();
  await elsewhere.context.close();
  await context.close();
  await desk.close();
});
