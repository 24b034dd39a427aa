import { expect, test } from "@playwright/test";
import { addFile } from "../support/files.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";
import { Desk } from "./desk.ts";

// What the small script of the public pages adds (renderer/enhance). All of it works without, only less conveniently.

let desk: Desk;
let id: string;

test.beforeAll(async () => {
  desk = await Desk.open();
  const { server } = await desk.person("grace", "Grace Hopper");
  id = await givenDraft(server, { metadata: { ...metadata, title: "Cores of the Fram Strait" } });
  for (const key of ["README.md", ...Array.from({ length: 12 }, (_one, at) => `logs/run-${at}.log`), "depths.csv"])
    await addFile(server, id, key, key);
  await publish(server, id);
});

test.afterAll(() => desk.close());

test("copies the citation, filters files while one types, shows a password, finds the field by a key (web 2)", async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: desk.server.url });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: desk.server.url });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));

  await test.step("the font of the build, which the policy allows", async () => {
    await page.goto(`/records/${id}`);
    expect(await page.evaluate(`document.fonts.load('16px "Inter Variable"').then((faces) => faces.length)`)).toBe(1);
  });

  await test.step("the citation", async () => {
    await page.goto(`/records/${id}`);
    const copy = page.getByRole("button", { name: "Copy", exact: true }).first();
    await copy.click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    await expect(page.getByRole("status")).toHaveText("Copied");
    const citation = await page.evaluate("navigator.clipboard.readText()");
    expect(citation).toContain("Cores of the Fram Strait");
    expect(await page.getByRole("region", { name: "Citation" }).innerText()).toContain(String(citation));
  });

  await test.step("the files", async () => {
    const rows = page.locator("li.file").filter({ visible: true });
    const filter = page
      .getByRole("textbox", { name: "Filter files by name" })
      .or(page.getByRole("searchbox", { name: "Filter files by name" }));
    await filter.fill("RUN-1");
    // run-1, run-10 and run-11, in a folder that opened by itself.
    await expect(rows).toHaveCount(3);
    await filter.fill("nothing like this");
    await expect(rows).toHaveCount(0);
    const none = page.getByRole("paragraph").filter({ hasText: "No file name has this text." });
    await expect(none).toBeVisible();
    await expect(page.getByRole("status")).toHaveText("No file name has this text.");
    await filter.fill("");
    await expect(none).toBeHidden();
    await expect(page.getByRole("status")).toHaveText("");
    await expect(page.getByRole("link", { name: "depths.csv", exact: true })).toBeVisible();
    await filter.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/records/${id}$`));
  });

  await test.step("the search field", async () => {
    await page.locator("h1").click();
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: "Search records" })).toBeFocused();
  });

  await test.step("the password, which is hidden again when it is sent", async () => {
    await page.goto("/sign-in");
    const field = page.getByLabel("Password", { exact: true });
    await field.fill("not the right one");
    await expect(field).toHaveAttribute("type", "password");
    const show = page.getByRole("button", { name: "Show: Password" });
    await show.click();
    await expect(field).toHaveAttribute("type", "text");
    await expect(show).toHaveAttribute("aria-pressed", "true");
    await page.evaluate(`document.querySelector("main form").addEventListener("submit", () => {
      sessionStorage.setItem("sent", document.querySelector("[autocomplete=current-password]").type);
    })`);
    await page.getByLabel("User name or e-mail address").fill("grace");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").or(page.getByText("wrong"))).not.toHaveCount(0);
    expect(await page.evaluate("sessionStorage.getItem('sent')")).toBe("password");
  });

  await test.step("a form that is sent once by a double click", async () => {
    await page.goto("/sign-in");
    await page.getByLabel("User name or e-mail address").fill("grace");
    await page.getByLabel("Password", { exact: true }).fill("not the right one");
    const gate = Promise.withResolvers<void>();
    let count = 0;
    await page.route(/\/sign-in$/, async (route) => {
      count += 1;
      await gate.promise;
      await route.continue();
    });
    const { x = 0, y = 0 } = (await page.getByRole("button", { name: "Sign in" }).boundingBox()) ?? {};
    // The mouse waits for no navigation, as a click of an element would.
    const press = () => page.mouse.click(x + 5, y + 5);
    await press();
    await expect.poll(() => count).toBe(1);
    await press();
    gate.resolve();
    await expect(page.getByText("wrong")).toBeVisible();
    expect(count).toBe(1);
  });
  // The refused password itself is a 401, which the browser notes.
  expect(faults.filter((fault) => !fault.includes("401"))).toEqual([]);
  await context.close();
});
