import { expect, test } from "@playwright/test";
import { connectReplica } from "../../main/sync/connect.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePictures } from "./picture.ts";
import { givenSample } from "./samples.ts";

const password = "a long way to the sea";

test("connecting reports errors with a reason; signing in again sends queued operations once (requests 2; hosts-and-sync 4)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  await desk.server.services.signIn.resetPassword(karin.id, password);
  const draft = await givenSample(karin.server, 0, { isPublished: false });
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica, { isNew: true });
  const connect = page.getByRole("button", { name: "Connect and open library" });
  const fill = (label: string, text: string) => page.getByRole("textbox", { name: label }).fill(text);

  await test.step("no server, no account, too many tries", async () => {
    await page.goto(`${replica.url}/welcome`);
    await page.getByText("Connect to a team server").click();
    await fill("Server address", "library.example.org");
    await expect(page.getByText("Enter an address that starts with https:// or http://")).toBeVisible();
    const unencrypted = page.getByRole("checkbox", { name: "Connect without encryption" });
    await fill("Server address", "http://library.example.org");
    await fill("User name or e-mail address", "mallory");
    await page.getByLabel("Password", { exact: true }).fill("guess");
    await expect(unencrypted).toBeVisible();
    await expect(connect).toBeDisabled();
    await page.getByText("Connect without encryption").click();
    await expect(unencrypted).toBeChecked();
    await expect(connect).toBeEnabled();
    await fill("Server address", "http://127.0.0.1:9");
    await expect(unencrypted).toHaveCount(0);
    await fill("User name or e-mail address", "mallory");
    await page.getByLabel("Password", { exact: true }).fill("guess");
    // By Enter, the button below is not scrolled to (issue 17).
    await page.getByLabel("Password", { exact: true }).press("Enter");
    await expect(page.getByRole("alert")).toContainText(/does not answer|was lost|bad port/);
    await expect(page.getByRole("alert")).toBeInViewport({ ratio: 1 });
    await expect(page.getByText("Ready to connect")).toHaveCount(0);
    // The failure of one address says nothing about another (issue 17).
    await fill("Server address", desk.proxy.url);
    await expect(page.getByRole("alert")).toHaveCount(0);
    for (let time = 0; time < 5; time++) {
      const answered = page.waitForResponse(/api\/sync\/connect/);
      await connect.click();
      await answered;
      await expect(page.getByRole("alert")).toContainText("does not accept this name and password");
    }
    await connect.click();
    await expect(page.getByRole("alert")).toContainText(/too many wrong attempts.* minutes/);
    await fill("User name or e-mail address", "karin@example.org");
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  await test.step("by name and password", async () => {
    await fill("User name or e-mail address", "karin@example.org");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await connect.click();
    await page.waitForURL(`${replica.url}/me/uploads`);
    await expect(page.getByRole("button", { name: "Up to date" })).toBeVisible();
  });

  await test.step("the settings show how much one stores on the server, and without it why not (security 8)", async () => {
    await page.goto(`${replica.url}/settings/storage`);
    const usage = page.getByRole("progressbar", { name: "Your storage on the server" });
    await expect(usage).toHaveAttribute("aria-valuetext", /^[\d.]+ \w+ of 200 GB$/);
    await takePictures(page, "connect-storage");
    desk.proxy.cut();
    await page.reload();
    await expect(page.getByText("How much you store on the server is shown while it is connected.")).toBeVisible();
    desk.proxy.mend();
    await expect(usage).toBeVisible();
  });

  await test.step("the sign-in is revoked: work goes on, nothing is sent", async () => {
    const { body } = await karin.server.get("/api/tokens");
    const own = body.hits.hits.find((one: { name: string }) => one.name.startsWith("Carrel on "));
    expect((await karin.server.delete(`/api/tokens/${own.id}`)).status).toBe(204);
    await page.goto(`${replica.url}/uploads/${draft}`);
    await page.getByRole("textbox", { name: "Title (required)" }).fill("Written while signed out");
    await expect(page.getByRole("button", { name: /Sign in again/ })).toBeVisible();
    const { metadata } = (await karin.server.get(`/api/records/${draft}/draft`)).body;
    expect(metadata.title).not.toBe("Written while signed out");
    for (const path of ["/settings/profile", "/records/00000-00000"]) {
      await page.goto(replica.url + path);
      await expect(page.getByText(/no longer accepts this computer’s sign-in. Sign in again first/)).toBeVisible();
    }
  });

  await test.step("signing in again from the pill", async () => {
    await page.getByRole("button", { name: /Sign in again/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign in again" }).click();
    await expect(page.getByText("waits here and is sent, once, when you sign in as karin")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Server address" })).toHaveValue(desk.proxy.url);
    await expect(page.getByRole("textbox", { name: "User name or e-mail address" })).toHaveValue("karin");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in again" }).last().click();
    await expect(page.getByText("Disconnect and keep my data")).toBeVisible();
    await expect(page.getByRole("button", { name: "Up to date" })).toBeVisible();
    const title = async () => (await karin.server.get(`/api/records/${draft}/draft`)).body.metadata.title;
    await expect.poll(title).toBe("Written while signed out");
  });
  expect(faults).toEqual([]);
  await desk.close();
});

test("a window opened by a used or expired link says what to do and links to no page it cannot show (security 5)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${replica.url}/#t=used`);
  await expect(page.getByRole("heading", { name: "This window is not signed in" }).first()).toBeVisible();
  await expect(page.getByText("Start Carrel again for a new one.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Go to the library" })).toHaveCount(0);
  await page.context().close();
  await desk.close();
});

test("cut off right after connecting, the library says that the records are still to come, not that it is empty (issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  await givenSample(karin.server, 0, { isPublished: false });
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  // Paused, nothing is fetched before the connection is cut.
  expect((await near.post("/api/sync/pause")).status).toBe(200);
  await connectReplica(replica.host.db, replica.engine, desk.proxy.url, karin.token);
  desk.proxy.cut();
  expect((await near.post("/api/sync/resume")).status).toBe(200);
  const { page, context, faults } = await openWindow(browser, replica, { path: "/me/uploads" });
  await expect(page.getByRole("heading", { name: "Your records are not here yet" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Offline" })).toBeVisible();
  await takePictures(page, "connect-not-here-yet");
  desk.proxy.mend();
  await expect(page.getByRole("list", { name: "Records" }).getByRole("link")).toHaveCount(1);
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
