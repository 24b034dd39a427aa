import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { chooseByKeys } from "./keyboard.ts";
import { largeZip } from "./samples.ts";

test("drafted offline, published online, browsed by a colleague", async ({ browser }) => {
  // The longest test: a large archive is packed, sent, published and read.
  test.slow();
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const [karins, paolos] = [await desk.replica(karin), await desk.replica(paolo)];
  const zip = await largeZip();
  const { page, faults } = await openWindow(browser, karins, { path: "/" });
  await expect(page.getByText("Your library is empty")).toBeVisible();

  await test.step("cut, and make a draft", async () => {
    desk.proxy.cut();
    await expect(page.getByRole("button", { name: /Offline/ })).toBeVisible();
    await page.getByRole("button", { name: "New draft" }).first().click();
    await page.getByRole("textbox", { name: "Title" }).fill("Sources of a small library");
    await chooseByKeys(page.getByRole("combobox", { name: "Resource type" }), "Datas", "Dataset");
    await page.getByRole("textbox", { name: "Publication date" }).fill("2026-11-21");
    await page.getByRole("button", { name: "Paste a list" }).first().click();
    await page
      .getByRole("textbox", { name: "Names" })
      .fill("Lindqvist, Karin (Institute of Marine Sciences)\nMarchetti, Paolo");
    await page.getByRole("button", { name: "Add 2 people" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill("What a small library is made of.");
  });

  await test.step("add three files, one of them large", async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Add files" }).click(),
    ]);
    const text = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(`${name}\n`) });
    await chooser.setFiles(zip.path);
    const [second] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Add files" }).click(),
    ]);
    await second.setFiles([text("README.md"), text("notes.txt")]);
    await expect(page.getByText(/^3 files, /)).toBeVisible();
    await expect(page.getByText("Nothing is missing.")).toBeVisible();
    await expect(page.getByText(/Saved on this computer/)).toBeVisible();
    await expect(page.getByRole("button", { name: /Offline · \d+ changes waiting/ })).toBeVisible();
  });

  const id = new URL(page.url()).pathname.split("/")[2] ?? "";
  await test.step("mend: all is on the server within ten seconds, bytes equal", async () => {
    // The button's name is the state, which changes soon after the connection is restored.
    await page.getByRole("button", { name: /Offline/ }).click();
    desk.proxy.mend();
    await page.getByRole("button", { name: "Sync now" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("button", { name: "Up to date" })).toBeVisible();
    const { body } = await karin.server.get(`/api/records/${id}/draft`);
    expect(body.metadata).toMatchObject({ title: "Sources of a small library", publication_date: "2026-11-21" });
    const there = await karin.server.get(`/api/records/${id}/draft/files/library.zip/content`);
    expect(there.bytes.equals(await readFile(zip.path))).toBe(true);
  });

  await test.step("publish", async () => {
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await expect(page.getByRole("heading", { name: "Cite" })).toBeVisible();
    expect((await paolo.server.get(`/api/records/${id}`)).status).toBe(200);
  });

  await test.step("a colleague looks inside the archive and saves one member; what is not here without a line is said in words", async () => {
    const window = await openWindow(browser, paolos);
    await window.page.goto(`${paolos.url}/records/${id}`);
    await window.page.getByRole("link", { name: "library.zip", exact: true }).click();
    await window.page.getByRole("searchbox", { name: "Filter by name" }).fill(zip.member);
    await window.page.getByRole("button", { name: zip.member }).first().click();
    const [download] = await Promise.all([
      window.page.waitForEvent("download"),
      window.page.getByRole("link", { name: "Download", exact: true }).click(),
    ]);
    expect((await readFile(await download.path())).equals(zip.bytes)).toBe(true);
    await window.page.getByRole("checkbox", { name: `Select ${zip.member} for download` }).press("Space");
    const [chosen] = await Promise.all([
      window.page.waitForEvent("download"),
      window.page.getByRole("button", { name: "Download selection" }).click(),
    ]);
    expect((await readFile(await chosen.path())).equals(zip.bytes)).toBe(true);
    desk.proxy.cut();
    await window.page.goto(`${paolos.url}/records/${id}`);
    await window.page.getByRole("link", { name: "Download notes.txt" }).click();
    await expect(
      window.page.getByText("“notes.txt” is only on the server, which cannot be reached now."),
    ).toBeVisible();
    desk.proxy.mend();
    expect(window.faults).toEqual([]);
  });
  expect(faults).toEqual([]);
  await desk.close();
  await rm(dirname(zip.path), { recursive: true });
});
