import { expect, test } from "@playwright/test";
import { givenRecord, metadata } from "../support/records.ts";
import { Desk } from "./desk.ts";
import { appHosts, openSeat } from "./seats.ts";

for (const host of appHosts)
  test(`collections on the ${host}: an administrator creates one for a group, a member edits it, visitors see it (web 15.8, issue 18)`, async ({
    browser,
  }) => {
    const desk = await Desk.open();
    const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
    await boss.server.post("/api/groups", { name: "curators" });
    const karin = await desk.person("karin", "Karin Lindqvist", ["curators"]);
    const titled = (title: string) => ({ metadata: { ...metadata, title }, files: { enabled: false } });
    await givenRecord(boss.server, titled("Whale songs"));
    await givenRecord(boss.server, titled("Tide gauges"));
    const publicPage = async (path: string) =>
      (await fetch(`${desk.server.url}${path}`, { headers: { accept: "text/html" } })).text();

    await test.step("the administrator: the address comes from the title, the query is tried while it is typed", async () => {
      const { page, context, faults } = await openSeat(browser, desk, boss, host, "/administration/collections");
      await page.getByRole("button", { name: "New collection" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Title" }).fill("Wale der Nordsee & Ärmelkanal");
      await expect(dialog.getByRole("textbox", { name: "Address" })).toHaveValue("wale-der-nordsee-armelkanal");
      await dialog.getByRole("textbox", { name: "Address" }).fill("whales");
      await dialog.getByRole("textbox", { name: "Query" }).fill("created:blue");
      await expect(dialog.getByRole("button", { name: "created:2024-05-03" })).toBeVisible();
      await dialog.getByRole("textbox", { name: "Query" }).fill("whale*");
      await expect(dialog.getByText("Finds 1 record that you can see.")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog.getByRole("textbox", { name: "Query" })).toHaveValue("whale*");
      await dialog.getByRole("combobox", { name: "Kept by" }).fill("cura");
      await page.getByRole("option", { name: "curators" }).click();
      await dialog.getByRole("button", { name: "Create collection" }).click();
      await expect(page.getByRole("link", { name: "Wale der Nordsee & Ärmelkanal" })).toBeVisible();
      expect(faults).toEqual([]);
      await context.close();
    });
    expect(await publicPage("/collections/whales")).toContain("Whale songs");

    const hers = await openSeat(browser, desk, karin, host, "/me/uploads");
    const { page } = hers;
    await test.step("a member finds it in the navigation, and from its public page where there is one", async () => {
      await page.getByRole("link", { name: "Collections" }).click();
      await expect(page.getByRole("heading", { name: "Collections" })).toBeVisible();
      await expect(page.getByRole("button", { name: /^Delete/ })).toHaveCount(0);
      if (host === "server") {
        await hers.go("/collections/whales");
        await page.getByRole("link", { name: "Edit collection" }).click();
      } else await page.getByRole("button", { name: "Edit Wale der Nordsee & Ärmelkanal" }).click();
      await expect(page.getByRole("dialog", { name: "Edit Wale der Nordsee & Ärmelkanal" })).toBeVisible();
    });

    await test.step("what somebody else changed meanwhile is not overwritten; what was typed stays", async () => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Text for visitors" }).fill("Songs and tides.");
      const change = { title: "Whales and tides", query: "whale* OR tide*" };
      expect((await boss.server.put("/api/collections/whales", change)).status).toBe(200);
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog.getByText("Somebody else changed this collection after you opened it.")).toBeVisible();
      await expect(dialog.getByRole("textbox", { name: "Text for visitors" })).toHaveValue("Songs and tides.");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Edit Whales and tides" }).click();
      await dialog.getByRole("textbox", { name: "Text for visitors" }).fill("Songs and tides.");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByText("Songs and tides.")).toBeVisible();
      const text = await publicPage("/collections/whales");
      expect([text.includes("Songs and tides."), text.includes("Tide gauges")]).toEqual([true, true]);
    });

    if (host === "replica")
      await test.step("offline, the page says that the server is needed", async () => {
        desk.proxy.cut();
        await page.reload();
        await expect(page.getByText(/server/).first()).toBeVisible();
        await expect(page.getByRole("button", { name: /^Edit/ })).toHaveCount(0);
        desk.proxy.mend();
      });
    expect(hers.faults).toEqual([]);
    await desk.close();
  });
