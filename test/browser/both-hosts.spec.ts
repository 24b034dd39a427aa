import { expect, type Page, test } from "@playwright/test";
import { Desk } from "./desk.ts";
import { chooseByKeys } from "./keyboard.ts";
import { givenSample, sampleTitles } from "./samples.ts";
import { appHosts, openSeat } from "./seats.ts";

const title = sampleTitles[0] ?? "";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

for (const host of appHosts)
  test.describe(`the stories on the ${host} (web 13, App on the server)`, () => {
    let desk: Desk;
    test.beforeAll(async () => {
      desk = await Desk.open();
    });
    test.afterAll(() => desk.close());

    test("depositor: a draft with a file is written, published and found", async ({ browser }) => {
      const karin = await desk.person("karin", "Karin Lindqvist");
      const { page, faults, context, go } = await openSeat(browser, desk, karin, host, "/me/uploads");
      await expect(page.getByText("Your library is empty")).toBeVisible();
      await page.getByRole("button", { name: "New draft" }).first().click();
      await page.getByRole("textbox", { name: "Title" }).fill("Sources of a small library");
      await chooseByKeys(page.getByRole("combobox", { name: "Resource type" }), "Datas", "Dataset");
      await page.getByRole("textbox", { name: "Publication date" }).fill("2026-11-21");
      await page.getByRole("button", { name: "Paste a list" }).first().click();
      await page.getByRole("textbox", { name: "Names" }).fill("Lindqvist, Karin\nMarchetti, Paolo");
      await page.getByRole("button", { name: "Add 2 people" }).click();
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: "Add files" }).click(),
      ]);
      await chooser.setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes\n") });
      await expect(page.getByText(/^1 file, /)).toBeVisible();
      await expect(page.getByText("Nothing is missing.")).toBeVisible();
      const id = new URL(page.url()).pathname.split("/")[2] ?? "";
      await button(page, "Publish").click();
      await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
      // As the public page cites it, with the kind of work.
      await expect(page.getByRole("region", { name: "Cite" })).toContainText("Sources of a small library [Dataset].");
      await expect(page).toHaveURL(
        host === "server" ? new RegExp(`/me/records/${id}$`) : new RegExp(`/records/${id}$`),
      );
      await page.reload();
      await expect(page.getByRole("heading", { name: "Sources of a small library" })).toBeVisible();
      await go("/me/uploads?q=sources");
      await page.getByRole("link", { name: "Sources of a small library" }).click();
      await expect(page.getByRole("heading", { name: "Cite" })).toBeVisible();
      expect(faults).toEqual([]);
      await context.close();
    });

    test("editor: two people write in one draft, see each other, and no change is lost", async ({ browser }) => {
      const ada = await desk.person("ada", "Ada Mohr");
      const bo = await desk.person("bo", "Bo Ng");
      const id = await givenSample(ada.server, 1, { isPublished: false });
      const grants = [{ permission: "edit", subject: { type: "user", id: bo.id } }];
      expect((await ada.server.post(`/api/records/${id}/access/grants`, { grants })).status).toBe(201);
      const [hers, his] = [await openSeat(browser, desk, ada, host), await openSeat(browser, desk, bo, host)];
      await hers.go(`/uploads/${id}`);
      await his.go(`/uploads/${id}`);
      await expect(hers.page.getByRole("button", { name: "Bo Ng is here" })).toBeVisible();
      await expect(his.page.getByRole("button", { name: "Ada Mohr is here" })).toBeVisible();
      await hers.page.getByRole("textbox", { name: "Publisher" }).fill("Ocean Press");
      await his.page.getByRole("textbox", { name: "Title" }).fill("Written by two");
      await expect(hers.page.getByRole("textbox", { name: "Title" })).toHaveValue("Written by two");
      await expect(his.page.getByRole("textbox", { name: "Publisher" })).toHaveValue("Ocean Press");
      await expect
        .poll(async () => (await ada.server.get(`/api/records/${id}/draft`)).body.metadata)
        .toMatchObject({ title: "Written by two", publisher: "Ocean Press" });
      for (const { faults, context } of [hers, his]) {
        expect(faults).toEqual([]);
        await context.close();
      }
    });

    test("review: requested, commented, accepted; the unsent comment survives a reload", async ({ browser }) => {
      const eva = await desk.person("eva", "Eva Lund");
      const paolo = await desk.person("paolo", "Paolo Marchetti");
      const id = await givenSample(eva.server, 0, { isPublished: false });
      const receiver = { user: paolo.id };
      await eva.server.put(`/api/records/${id}/draft/review`, { type: "default-request", receiver });
      await eva.server.post(`/api/records/${id}/draft/actions/submit-review`, {
        payload: { content: "<p>Please check the units.</p>", format: "html" },
      });
      const { page, faults, context } = await openSeat(browser, desk, paolo, host, "/me/uploads");
      await page.getByRole("link", { name: /^Requests/ }).click();
      // The library, which lists the draft too, stays until the next page has arrived.
      await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
      await page.getByRole("link", { name: new RegExp(title) }).click();
      await expect(page.getByText("Please check the units.")).toBeVisible();
      const comment = page.getByRole("textbox", { name: "Comment", exact: true });
      await comment.pressSequentially("Metres, not feet");
      const kept = async () =>
        (
          await page.evaluate(
            async (path) => (await fetch(path)).json(),
            `/api/sync/comment-drafts/${page.url().split("/").pop()}`,
          )
        ).content;
      await expect.poll(kept).toContain("Metres, not feet");
      await page.reload();
      await expect(comment).toHaveText("Metres, not feet");
      await button(page, "Comment").click();
      await expect(page.getByRole("list", { name: "Conversation" }).getByText("Metres, not feet")).toBeVisible();
      await button(page, "Accept and publish").click();
      await page.getByRole("dialog").getByRole("button", { name: "Accept and publish" }).click();
      await expect.poll(async () => (await eva.server.get(`/api/records/${id}`)).status).toBe(200);
      expect(faults).toEqual([]);
      await context.close();
    });

    test("people: an administrator makes a group and adds a person", async ({ browser }) => {
      const ruth = await desk.person("ruth", "Ruth Okafor", ["administration-moderation"]);
      const noor = await desk.person("noor", "Noor Haddad");
      const { page, faults, context, go } = await openSeat(browser, desk, ruth, host, "/me/uploads");
      await page.getByRole("link", { name: "People and groups" }).click();
      await page.getByRole("tab", { name: "Groups" }).click();
      await page.getByRole("button", { name: "New group" }).click();
      await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("curators");
      await page.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
      await expect(page.getByText("curators")).toBeVisible();
      await go(`/people/${noor.id}`);
      await page.getByRole("button", { name: "Add to a group" }).click();
      await page.getByRole("option", { name: /curators/ }).click();
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await expect(page.getByRole("button", { name: "Remove from curators" })).toBeVisible();
      expect(faults).toEqual([]);
      await context.close();
    });
  });
