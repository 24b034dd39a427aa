import { expect, test } from "@playwright/test";
import { Desk } from "./desk.ts";
import { givenSample } from "./samples.ts";
import { openSeat } from "./seats.ts";

let desk: Desk;
test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(() => desk.close());

test("a link to share with a date that is over says so at the date, and one whose day has come that it has ended (issue 17)", async ({
  browser,
}) => {
  const person = await desk.person("sharer", "Eva Lund");
  const id = await givenSample(person.server, 0);
  const { page, context, faults, go } = await openSeat(browser, desk, person, "server");
  await go(`/me/records/${id}`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("tab", { name: "Links" }).click();
  const until = page.getByLabel("Until");
  await until.fill("2020-01-01");
  await page.getByRole("button", { name: "New link" }).click();
  await expect(until).toHaveAccessibleDescription("Expiration date must be set to the future");
  await until.fill("2099-01-01");
  await page.getByRole("button", { name: "New link" }).click();
  await expect(page.getByText("Until 1 Jan 2099")).toBeVisible();
  await expect(until).toHaveAccessibleDescription("");
  const revoke = page.getByRole("button", { name: "Revoke this link" });
  await revoke.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await page.clock.setFixedTime("2099-01-01T12:00:00Z");
  await until.fill("");
  await page.getByRole("button", { name: "New link" }).click();
  await expect(page.getByText("No end date")).toBeVisible();
  await expect(page.getByText("Ended on 1 Jan 2099")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy link" })).toHaveCount(1);
  await page.getByRole("button", { name: "Remove this link" }).click();
  await expect(page.getByText("Ended on 1 Jan 2099")).toHaveCount(0);
  await revoke.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(revoke).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});

test("offline, a person who is not known here is not said to be missing, links are read in a narrow window, and what needs the server does not promise to be sent later (issue 17)", async ({
  browser,
}) => {
  const person = await desk.person("away", "Eva Lund");
  await desk.person("paolo", "Paolo Marchetti");
  const id = await givenSample(person.server, 0, { isPublished: false });
  const { page, context, faults, go } = await openSeat(browser, desk, person, "replica");
  await go(`/uploads/${id}`);
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  desk.proxy.cut();
  await page.getByRole("combobox", { name: "Person" }).fill("Paolo");
  await expect(page.getByText("No match on this computer.")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.setViewportSize({ width: 390, height: 800 });
  const later = page.getByText("Your changes here take effect when they are sent.");
  await page.getByRole("tab", { name: "Links" }).click();
  await expect(later).toBeVisible();
  await page.getByRole("button", { name: "New link" }).click();
  await expect(page.getByText("Waiting to send")).toBeVisible();
  expect((await page.getByText("No end date").boundingBox())?.height).toBeLessThan(30);
  await page.getByRole("tab", { name: "Requests" }).click();
  await expect(page.getByText("The server is needed for this, and it cannot be reached now.")).toBeVisible();
  await expect(later).toHaveCount(0);
  desk.proxy.mend();
  expect(faults).toEqual([]);
  await context.close();
});

test("where the browser forbids copying, a press on Copy shows the text to select; without a secure connection it copies (issue 17)", async ({
  browser,
}) => {
  const person = await desk.person("copier", "Eva Lund");
  const id = await givenSample(person.server, 0);
  const { page, context, faults, go } = await openSeat(browser, desk, person, "server");
  const copy = page.getByRole("button", { name: "Copy", exact: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await go(`/me/records/${id}`);
  // As over http, except on this computer itself.
  await page.evaluate("window.kept = navigator.clipboard");
  await page.evaluate('Object.defineProperty(window, "isSecureContext", { value: false })');
  await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await copy.click();
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  expect(await page.evaluate("kept.readText()")).toContain("Okonkwo, A. (2024)");
  await page.evaluate("document.execCommand = () => false");
  await copy.click();
  await expect(page.getByText(/Select the text here: Okonkwo/)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});
