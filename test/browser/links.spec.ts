import { expect, type Page, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePictures } from "./picture.ts";

const [control, shift] = [2, 8];

/** Presses keys without waiting for the effect of the previous one. */
async function pressTogether(page: Page, ...keys: [key: string, code: number, modifiers: number][]) {
  const devtools = await page.context().newCDPSession(page);
  await Promise.all(
    keys.flatMap(([key, windowsVirtualKeyCode, modifiers]) =>
      (["rawKeyDown", "keyUp"] as const).map((type) =>
        devtools.send("Input.dispatchKeyEvent", { type, key, windowsVirtualKeyCode, modifiers }),
      ),
    ),
  );
  await devtools.detach();
}

test("a link gets the typed address and can be changed and removed; unsafe addresses are refused (app H1)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  const { id } = (await near.post("/api/records", { metadata: { description: "<p>Read the protocol</p>" } })).body;
  const { page, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  const text = page.getByRole("textbox", { name: "Description" });
  const popover = page.getByRole("dialog", { name: "Link" });
  const address = popover.getByRole("textbox", { name: "Address" });
  const saved = () =>
    expect.poll(async () => (await near.get(`/api/records/${id}/draft`)).body.metadata.description as string);

  await test.step("Ctrl-K asks for the address of the selected words", async () => {
    await text.click();
    await page.keyboard.press("Control+End");
    await pressTogether(page, ["ArrowLeft", 37, control + shift], ["k", 75, control]);
    await expect(address).toBeFocused();
    for (const wrong of ["not an address", "javascript:alert(1)", "protocol"]) {
      await address.fill(wrong);
      await page.keyboard.press("Enter");
      await expect(popover.getByText("Enter a web or e-mail address")).toBeVisible();
    }
    await address.fill("example.org/protocol?v=2");
    await takePictures(page, "links-link");
    await page.keyboard.press("Enter");
    await expect(popover).toHaveCount(0);
    await expect(text.getByRole("link", { name: "protocol", exact: true })).toHaveAttribute(
      "href",
      "https://example.org/protocol?v=2",
    );
    await saved().toContain('href="https://example.org/protocol?v=2"');
  });

  await test.step("the button shows the address of the link at the cursor, and changes the whole link", async () => {
    for (const key of ["ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Link", exact: true }).first().click();
    await expect(address).toHaveValue("https://example.org/protocol?v=2");
    await address.fill("ada@example.org");
    await popover.getByRole("button", { name: "Save" }).click();
    await expect(text.getByRole("link", { name: "protocol", exact: true })).toHaveAttribute(
      "href",
      "mailto:ada@example.org",
    );
  });

  await test.step("Escape changes nothing; the link is removed, its words stay", async () => {
    await page.keyboard.press("Control+k");
    await address.fill("https://example.net");
    await page.keyboard.press("Escape");
    await expect(popover).toHaveCount(0);
    await expect(text.getByRole("link")).toHaveAttribute("href", "mailto:ada@example.org");
    // A popover that opens while the focus still returns to the text would close again.
    await expect(text).toBeFocused();
    await page.getByRole("button", { name: "Link", exact: true }).first().click();
    await popover.getByRole("button", { name: "Remove the link" }).click();
    await expect(text.getByRole("link")).toHaveCount(0);
    await expect(text).toHaveText("Read the protocol");
  });

  await test.step("without words the address itself is written as a link", async () => {
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" ");
    await page.keyboard.press("Control+k");
    await address.fill("https://example.org/data");
    await popover.getByRole("button", { name: "Add link" }).click();
    await saved().toMatch(/<a[^>]* href="https:\/\/example.org\/data"[^>]*>https:\/\/example.org\/data<\/a>/);
  });
  expect(faults).toEqual([]);
  await desk.close();
});
