import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { buildRenderer } from "../../main/dev-build.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess } from "../support/process.ts";
import { newWindow } from "./desk.ts";

test("an existing library is opened in the app, a wrong folder is explained, and nothing is lost (app M21)", async ({
  browser,
}) => {
  await buildRenderer(() => {});
  const root = await mkdtemp(join(tmpdir(), "carrel-libraries-"));
  const [first, second] = [join(root, "first"), join(root, "second")];
  const start = async (folder: string) => {
    const process = new CarrelProcess(["replica", "--data", folder, "--offer-salvage"]);
    const { url, token = "" } = await process.ready();
    return { process, url, near: new HttpClient(url, token), token };
  };
  const old = await start(second);
  const draft = { files: { enabled: false }, metadata: { title: "From the old disk" } };
  expect((await old.near.post("/api/records", draft)).status).toBe(201);
  expect((await old.process.stop()).code).toBe(0);
  await mkdir(join(root, "empty"));
  await writeFile(join(root, "a file"), "");

  let { process, url, near, token } = await start(first);
  expect((await near.post("/api/records", { ...draft, metadata: { title: "Begun here" } })).status).toBe(201);
  const { page, context, faults } = await newWindow(browser, true);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
  await page.goto(`${url}/welcome`);
  await page.getByText("Open an existing library").click();
  const field = page.getByRole("textbox", { name: "Folder" });
  const open = page.getByRole("button", { name: "Open this library" });
  for (const [folder, words] of [
    ["somewhere", "Enter the full path of the folder"],
    [join(root, "missing"), "There is no folder"],
    [join(root, "a file"), "is not a folder"],
    [join(root, "empty"), "There is no Carrel library in"],
    [first, "This library is open already."],
  ] as const) {
    await field.fill(folder);
    await open.click();
    await expect(page.getByText(words)).toBeVisible();
    await expect(field).toHaveValue(folder);
  }
  expect((await near.get("/api/sync/storage")).body.location, "the first one is still open").toBe(first);
  await field.fill(second);
  await field.press("Enter");
  await expect(page.getByRole("link", { name: /^From the old disk/ })).toBeVisible();
  expect((await near.get("/api/sync/storage")).body.location).toBe(second);
  expect(new URL(page.url()).origin).toBe(url);
  expect((await process.stop()).code).toBe(0);

  await test.step("the next start opens the chosen library, and the user can return to the first", async () => {
    ({ process, url, near, token } = await start(first));
    expect((await near.get("/api/sync/storage")).body.location).toBe(second);
    expect((await near.post("/api/sync/library", { folder: first })).status).toBe(202);
    await expect
      .poll(async () => (await near.get("/api/sync/storage").catch(() => undefined))?.body?.location)
      .toBe(first);
    expect((await near.get("/api/user/records")).body.hits.hits[0].metadata.title).toBe("Begun here");
    expect((await process.stop()).code).toBe(0);
    ({ process, near } = await start(first));
    expect((await near.get("/api/sync/storage")).body.location).toBe(first);
    expect((await process.stop()).code).toBe(0);
  });
  expect(faults).toEqual([]);
  await context.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});
