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
  const until = page.getByLabel("Ends on");
  await until.fill("2020-01-01");
  await page.getByRole("button", { name: "New link" }).click();
  await expect(until).toHaveAccessibleDescription("Expiration date must be set to the future");
  await until.fill("2099-01-01");
  await page.getByRole("button", { name: "New link" }).click();
  await expect(page.getByText("Ends on 1 Jan 2099")).toBeVisible();
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
  await page.getByRole("combobox", { name: "Person or group" }).fill("Paolo");
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
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
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

test("access is given to one's own group, changed, and given back after a removal by mistake (records 7.3; issue 17)", async ({
  browser,
}) => {
  const person = await desk.person("giver", "Eva Lund");
  const colleague = await desk.person("colleague", "Noor Haddad");
  const boss = await desk.person("boss", "Ruth Adler", ["superuser-access"]);
  await boss.server.post("/api/groups", { name: "night-shift" });
  for (const { id } of [person, colleague])
    expect((await boss.server.post(`/api/users/${id}/groups`, { groups: ["night-shift"] })).status).toBe(200);
  const id = await givenSample(person.server, 0, { isPublished: false });
  const mayRead = async () => (await colleague.server.get(`/api/records/${id}/draft`)).status;
  const mayWrite = async () => (await colleague.server.put(`/api/records/${id}/draft`, { metadata: {} })).status;
  const { page, context, faults, go } = await openSeat(browser, desk, person, "replica");
  await go(`/uploads/${id}`);
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  const dialog = page.getByRole("dialog");
  const rows = dialog.getByRole("listitem");
  await dialog.getByRole("combobox", { name: "Person or group" }).fill("night");
  await page.getByRole("option", { name: /night-shift/ }).click();
  await dialog.getByRole("button", { name: /Access/ }).click();
  await page.getByRole("option", { name: /Preview/ }).click();
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await expect(rows).toContainText(["night-shift"]);
  await expect.poll(mayRead).toBe(200);
  expect(await mayWrite()).toBe(403);
  await rows.getByRole("button", { name: /Access of night-shift/ }).click();
  await page.getByRole("option", { name: /Edit/ }).click();
  await expect(rows.getByRole("button", { name: /Access of night-shift/ })).toContainText("Edit");
  await expect.poll(mayWrite).toBe(200);
  await dialog.getByRole("combobox", { name: "Person or group" }).fill("night");
  await expect(page.getByText(/^No match/)).toBeVisible();
  await page.keyboard.press("Escape");
  await rows.getByRole("button", { name: "Remove night-shift’s access" }).click();
  await expect(rows).toHaveCount(0);
  await expect.poll(mayRead).toBe(403);
  await page.getByRole("button", { name: "Undo" }).filter({ hasText: "Undo" }).click();
  await expect(rows.getByRole("button", { name: /Access of night-shift/ })).toContainText("Edit");
  await expect.poll(mayWrite).toBe(200);
  expect(faults).toEqual([]);
  await context.close();
});
