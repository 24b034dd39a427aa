import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, type Request, type Response, test } from "@playwright/test";
import { buildRenderer } from "../../main/dev-build.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { Desk } from "./desk.ts";
import { openSeat, signInWindow } from "./seats.ts";

const words = "Not a letter of this may be lost, whatever happens to the server.";

/** A server that can be killed, with one user. */
class KilledServer {
  readonly folder: string;
  port = 0;
  #process: CarrelProcess | undefined;
  token = "";

  constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<KilledServer> {
    await buildRenderer(() => {});
    const server = new KilledServer(await mkdtemp(join(tmpdir(), "carrel-killed-")));
    const secret = join(server.folder, "password");
    await writeFile(secret, "a horse of many stables\n", { mode: 0o600 });
    const ada = ["--username", "ada", "--email", "ada@example.org", "--token", "test", "--password-file", secret];
    const { stdout } = await runCarrel("users", "create", "--data", join(server.folder, "data"), ...ada);
    server.token = JSON.parse(stdout).token;
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.#process = new CarrelProcess(["server", "--data", join(this.folder, "data"), "--port", String(this.port)]);
    this.port = Number(new URL((await this.#process.ready()).url).port);
  }

  async kill(): Promise<void> {
    await this.#process?.stop("SIGKILL");
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const titleOf = async (client: HttpClient, id: string) =>
  (await client.get(`/api/records/${id}/draft`)).body.metadata.title;
const title = (page: Page) => page.getByRole("textbox", { name: "Title" });

test("the server is killed while somebody types: no letter is lost, here or after a reload (web 5, What is typed)", async ({
  browser,
}) => {
  const server = await KilledServer.open();
  const client = new HttpClient(server.url, server.token);
  const { page, context, faults } = await signInWindow(
    browser,
    server.url,
    "ada",
    "a horse of many stables",
    "/me/uploads",
  );
  await page.getByRole("button", { name: "New draft" }).first().click();
  await title(page).waitFor();
  const id = new URL(page.url()).pathname.split("/")[2] ?? "";

  await test.step("typed on while the server is dead, sent by itself once it is back", async () => {
    const typing = title(page).pressSequentially(words, { delay: 40 });
    await expect.poll(() => titleOf(client, id)).toContain("Not");
    await server.kill();
    await typing;
    await expect(page.getByText(/Not saved yet: The server cannot be reached/)).toBeVisible();
    await expect(title(page)).toHaveValue(words);
    await server.start();
    await expect.poll(() => titleOf(client, id)).toBe(words);
    await expect(page.getByText(/^Saved/)).toBeVisible();
  });

  await test.step("an editor that waits for an answer is the only one that sends, also after a gap of the events", async () => {
    const sent: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/api/records/${id}/draft`, async (call) => {
      if (call.request().method() === "PUT") {
        sent.push(call.request().postDataJSON().metadata.title);
        if (sent.length === 1) await held;
      }
      await call.continue();
    });
    await title(page).press("End");
    // At once: on a busy machine the editor saves between two letters.
    await page.keyboard.insertText(" One");
    await expect.poll(() => sent.length).toBe(1);
    const isRead = (answer: Response) => answer.url().endsWith("/draft") && answer.request().method() === "GET";
    const readAgain = page.waitForResponse(isRead);
    await server.kill();
    await server.start();
    await readAgain;
    await title(page).pressSequentially(" two");
    release();
    await expect.poll(() => titleOf(client, id)).toBe(`${words} One two`);
    expect(sent.at(0)).toBe(`${words} One`);
    expect(sent.slice(1)).toEqual([`${words} One two`]);
    await page.unrouteAll({ behavior: "wait" });
    await title(page).fill(words);
    await expect.poll(() => titleOf(client, id)).toBe(words);
    await expect(page.getByText(/^Saved/)).toBeVisible();
  });

  await test.step("typed on while a save is under way, then reloaded at once: nothing is lost", async () => {
    await page.route(`**/api/records/${id}/draft`, (call) =>
      // Never answered: the reload ends it.
      call.request().method() === "PUT" ? undefined : call.continue(),
    );
    const sent = page.waitForRequest((request) => request.method() === "PUT");
    await title(page).press("End");
    await title(page).pressSequentially(" Not");
    await sent;
    await title(page).pressSequentially(" now.");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.unrouteAll();
    await page.reload();
    await expect(title(page)).toHaveValue(`${words} Not now.`);
    await expect.poll(() => titleOf(client, id)).toBe(`${words} Not now.`);
    await title(page).fill(words);
    await expect.poll(() => titleOf(client, id)).toBe(words);
    await expect(page.getByText(/^Saved/)).toBeVisible();
  });

  await test.step("typed while it is dead, then the window is closed: sent and merged at the next visit", async () => {
    await server.kill();
    await title(page).press("End");
    await title(page).pressSequentially(" Never.");
    await expect(page.getByText(/Not saved yet/)).toBeVisible();
    // Asked whether to leave, as nothing was saved.
    const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
    expect(dialog.type()).toBe("beforeunload");
    await dialog.accept();
    await server.start();
    const other = { description: "<p>Changed elsewhere meanwhile.</p>" };
    const { body } = await client.get(`/api/records/${id}/draft`);
    await client.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, ...other } });
    const again = await context.newPage();
    await again.goto(`${server.url}/uploads/${id}`);
    await expect(title(again)).toHaveValue(`${words} Never.`);
    await expect.poll(() => titleOf(client, id)).toBe(`${words} Never.`);
    expect((await client.get(`/api/records/${id}/draft`)).body.metadata.description).toBe(other.description);
  });
  expect(faults).toEqual([]);
  await context.close();
  await server.close();
});

test("a cut upload goes on by itself; the browser asks before it ends one, which goes on when the same file is added again (web 5, What is typed; issue 18)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const { page, context, go } = await openSeat(browser, desk, await desk.person("ada", "Ada Lovelace"), "server");
  await go("/me/uploads");
  await page.getByRole("button", { name: "New draft" }).first().click();
  await title(page).waitFor();
  const part = 8 * 1024 * 1024;
  const add = async (name: string) => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).click();
    await (await choosing).setFiles(await desk.file(name, Buffer.alloc(20_000_000, name)));
  };

  await test.step("without an answer, it waits for the server and goes on", async () => {
    const isCut = (call: Request) => call.method() === "PATCH" || call.url().endsWith("/api/host");
    await page.route(/\/(host|content)$/, (call) => (isCut(call.request()) ? call.abort() : call.continue()));
    const looked = page.waitForRequest("**/api/host");
    await add("first.bin");
    await expect(page.getByText("first.bin: The upload was interrupted.")).toBeVisible();
    await looked;
    await page.unrouteAll();
    await expect(page.getByText("1 file, 20 MB")).toBeVisible();
  });

  await test.step("the browser asks; after the reload, the same file goes on where it was", async () => {
    const isSecondPart = (call: Request) => call.headers()["upload-offset"] === String(part);
    await page.route("**/second.bin/content", (call) => (isSecondPart(call.request()) ? undefined : call.continue()));
    const begun = page.waitForRequest(isSecondPart);
    await add("second.bin");
    await begun;
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(questions).toEqual(["beforeunload"]);
    await page.unrouteAll();
    await expect(page.getByText("Interrupted")).toBeVisible();
    const next = page.waitForRequest((call) => /^P(UT|ATCH)$/.test(call.method()) && /second\.bin/.test(call.url()));
    await add("second.bin");
    expect((await next).headers()["upload-offset"]).toBe(String(part));
    await expect(page.getByText("2 files, 40 MB")).toBeVisible();
  });
  await context.close();
  await desk.close();
});

test("the app on the server has no sync, and signing out leads to the public pages (web 5)", async ({ browser }) => {
  const desk = await Desk.open();
  const ada = await desk.person("ada", "Ada Mohr");
  const { page, context, faults, go, url } = await openSeat(browser, desk, ada, "server", "/me/uploads");
  const refused: string[] = [];
  page.on("response", (answer) => {
    // Notes that the user never wrote are 404.
    if (answer.url().includes("/api/sync/desk/") && answer.status() === 404) return;
    if (answer.status() >= 400) refused.push(`${answer.status()} ${new URL(answer.url()).pathname}`);
  });
  await test.step("nothing speaks of sync or of this computer", async () => {
    for (const path of ["/me/uploads", "/me/requests", "/activity", "/settings"]) {
      await go(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
      await expect(page.locator("main")).not.toContainText(/this computer|synchron/i);
      await expect(page.getByRole("button", { name: "Up to date" })).toHaveCount(0);
    }
    await expect(page.getByRole("heading", { name: "Appearance" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Storage" })).toHaveCount(0);
    expect(refused).toEqual([]);
  });
  await test.step("tabs share one stream of events", async () => {
    let streams = 0;
    context.on("request", (request) => {
      if (request.url().endsWith("/api/sync/events")) streams += 1;
    });
    const second = await context.newPage();
    await second.goto(`${url}/me/uploads`);
    await expect(second.getByText("Your library is empty")).toBeVisible();
    await ada.server.post("/api/records", { metadata: { title: "Heard by both" }, files: { enabled: false } });
    await go("/me/uploads");
    await expect(second.getByText("Heard by both")).toBeVisible();
    await second.close();
    await ada.server.post("/api/records", { metadata: { title: "Heard by who is left" }, files: { enabled: false } });
    await expect(page.getByText("Heard by who is left")).toBeVisible();
    expect(streams).toBeLessThanOrEqual(2);
  });
  await test.step("the settings lead to sessions and the second factor", async () => {
    await go("/settings/account");
    await page.getByRole("link", { name: "Open sign-in and security" }).click();
    await page.waitForURL(`${url}/account`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await go("/me/uploads");
  });
  await test.step("signs out", async () => {
    await page.getByRole("button", { name: /Profile: ada/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${url}/`);
    await go("/me/uploads");
    await expect(page).toHaveURL(/\/sign-in\?next=%2Fme%2Fuploads$/);
  });
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
