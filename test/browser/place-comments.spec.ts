import { expect, test } from "@playwright/test";
import { addFile } from "../support/files.ts";
import { Desk } from "./desk.ts";
import { hold } from "./hold.ts";
import { comment, commentWith, givenReview, words } from "./reviewing.ts";
import { givenSample } from "./samples.ts";
import { appHosts, openSeat } from "./seats.ts";

for (const host of appHosts)
  test.describe(`comments with a place on the ${host}`, () => {
    let desk: Desk;
    test.beforeAll(async () => {
      desk = await Desk.open();
    });
    test.afterAll(() => desk.close());

    test("a field and a file are commented on where they are shown, and settled; a person is mentioned (app 17.6)", async ({
      browser,
    }) => {
      const karin = await desk.person("karin", "Karin Lindqvist");
      const paolo = await desk.person("paolo", "Paolo Marchetti");
      const draft = await givenSample(karin.server, 0, {
        isPublished: false,
        files: { "notes.txt": Buffer.from("notes") },
      });
      await desk.server.services.groups.provide({ name: "curators", description: "Check", is_managed: false });
      await desk.person("noor", "Noor Haddad", ["curators"]);
      const path = `/api/records/${draft}/draft`;
      const review = { receiver: { user: paolo.id }, reviewers: [{ group: "curators" }] };
      const { id } = (await karin.server.put(`${path}/review`, review)).body;
      await karin.server.post(`${path}/actions/submit-review`, words("Please look at the units."));
      const his = await openSeat(browser, desk, paolo, host);
      const { page } = his;
      const list = (place: string) => page.getByRole("list", { name: `Comments on ${place}` });

      await test.step("a field; what is not sent yet outlives a reload", async () => {
        await his.go(`/me/requests/${id}?tab=record`);
        await page.getByRole("button", { name: "Comment on Title" }).click();
        const editor = page.getByRole("textbox", { name: "Your comment on Title" });
        await editor.pressSequentially("Too long");
        // The window is left while what was typed is on its way: the browser ends calls that may not outlive a page.
        await page.evaluate(`
          const send = window.fetch;
          window.fetch = (path, options) =>
            options?.method === "PUT" && path.includes("/comment-drafts/") && !options.keepalive
              ? new Promise(() => {})
              : send(path, options);
        `);
        await editor.pressSequentially(" for a list");
        await page.getByRole("button", { name: "Close" }).click();
        await page.reload();
        await page.getByRole("button", { name: "Comment on Title" }).click();
        await expect(editor).toHaveText("Too long for a list");
        await editor.press("Control+Enter");
        await expect(list("Title")).toContainText("Too long");
      });

      await test.step("a file, by keyboard; what is typed before the editor has loaded is text, no shortcut (app 17)", async () => {
        const area = await hold(page, "GET", /rich-text-area/);
        await his.go(`/me/requests/${id}?tab=files`);
        await page.getByRole("button", { name: "Comment on notes.txt" }).press("Enter");
        await expect.poll(() => area.count).toBe(1);
        const editor = page.getByRole("textbox", { name: "Your comment on notes.txt" });
        await page.keyboard.type("new? ");
        await expect(editor).toHaveCount(0);
        await area.release();
        await expect(editor).toHaveText("new?");
        await expect(editor).toBeFocused();
        await page.keyboard.type("Which encoding?");
        await expect(editor).toHaveText("new? Which encoding?");
        await page.keyboard.press("Control+Enter");
        await expect(list("notes.txt")).toContainText("Which encoding?");
        await expect(page.getByRole("button", { name: "Comment on notes.txt" })).toBeFocused();
      });

      await test.step("a mention is suggested while typing and becomes a link to the person", async () => {
        await page.getByRole("tab", { name: "Conversation" }).click();
        await comment(page).click();
        const people = page.getByRole("listbox", { name: "People to mention" });
        // A member of a reviewing group who has said nothing so far.
        await page.keyboard.type("@haddad");
        await expect(people.getByRole("option")).toHaveText(["Noor Haddad"]);
        for (const _letter of "@haddad") await page.keyboard.press("Backspace");
        await page.keyboard.type("Thanks @kar");
        await expect(people.getByRole("option")).toHaveText(["Karin Lindqvist"]);
        await page.keyboard.press("Enter");
        await expect(people).toHaveCount(0);
        await page.keyboard.type("and all.");
        await page.keyboard.press("Control+Enter");
        const link = commentWith(page, "and all.").getByRole("link", { name: "@Karin Lindqvist" });
        await expect(link).toHaveAttribute("href", `/people/${karin.id}`);
        await link.click();
        await expect(page.getByRole("heading", { name: /Karin Lindqvist/ })).toBeVisible();
        await expect(page).toHaveURL(`${his.url}/people/${karin.id}`);
      });

      await test.step("the owner is told once, follows the link to the place, and settles the comment", async () => {
        const told = async () =>
          (await karin.server.get("/api/sync/notifications")).body.hits.hits.map(({ kind }: { kind: string }) => kind);
        await expect.poll(told).toEqual(["mentioned", "commented", "commented"]);
        const hers = await openSeat(browser, desk, karin, host);
        await hers.go(`/me/requests/${id}`);
        const said = commentWith(hers.page, "Too long");
        await said.getByRole("link", { name: "On Title" }).click();
        const note = hers.page.getByRole("list", { name: "Comments on Title" });
        await expect(note).toBeInViewport();
        await note.getByRole("button", { name: "Resolve" }).click();
        await expect(note).toHaveCount(0);
        await hers.page.getByRole("button", { name: "1 resolved comment" }).click();
        await expect(note).toContainText("Resolved by Karin Lindqvist");
        await note.getByRole("button", { name: "Reopen" }).click();
        await expect(note.getByRole("button", { name: "Resolve" })).toBeVisible();
        await hers.go(`/uploads/${draft}`);
        await hers.page.getByRole("tab", { name: "Comments" }).click();
        await hers.page.getByRole("button", { name: "On Title" }).click();
        await expect(hers.page.getByRole("textbox", { name: "Title" })).toBeFocused();
        expect(hers.faults).toEqual([]);
        await hers.context.close();
      });

      if (host === "replica")
        await test.step("offline, one is written and settled, and one is taken back to its place", async () => {
          desk.proxy.cut();
          await his.go(`/me/requests/${id}?tab=record`);
          await page.getByRole("button", { name: "Comment on Creators" }).click();
          await expect(page.getByRole("textbox", { name: "Your comment on Creators" })).toBeFocused();
          await page.keyboard.type("In this order?");
          await page.keyboard.press("Control+Enter");
          await expect(list("Creators")).toContainText("Waiting to send");
          await list("Creators").getByRole("button", { name: "Resolve" }).click();
          await expect(page.getByRole("button", { name: "1 resolved comment" })).toBeVisible();
          await page.getByRole("tab", { name: "Conversation" }).click();
          await commentWith(page, "In this order?").getByRole("button", { name: "Withdraw" }).click();
          await expect(page.getByRole("textbox", { name: "Your comment on Creators" })).toHaveText("In this order?");
          await page.keyboard.press("Control+Enter");
          await expect(list("Creators")).toContainText("In this order?");
          desk.proxy.mend();
          await expect
            .poll(async () => (await karin.server.get(`/api/requests/${id}/timeline?q=order`)).body.hits.hits[0]?.about)
            .toEqual({ field: "metadata.creators" });
        });
      expect(his.faults).toEqual([]);
      await his.context.close();
    });
  });

test("a comment leads to its file in a long list, and is shown where its file or field is gone", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const id = await givenReview(karin, paolo);
  const draft = (await karin.server.get(`/api/requests/${id}`)).body.topic.record;
  for (let number = 0; number < 50; number++)
    await addFile(karin.server, draft, `part ${number}.txt`, Buffer.from("x"));
  for (const about of [{ file: "part 45.txt" }, { file: "README.md" }, { field: "metadata.publisher" }])
    await paolo.server.post(`/api/requests/${id}/comments`, { ...words(`On ${Object.values(about)}`), about });
  const his = await openSeat(browser, desk, paolo, "server", `/me/requests/${id}`);
  const { page } = his;
  const go = async (place: string) => {
    await his.go(`/me/requests/${id}`);
    await page.getByRole("link", { name: `On ${place}` }).click();
  };
  const notes = (place: string) => page.getByRole("list", { name: `Comments on ${place}` });
  await go("part 45.txt");
  await expect(notes("part 45.txt")).toBeInViewport();
  const path = `/api/records/${draft}/draft`;
  const { metadata } = (await karin.server.get(path)).body;
  await karin.server.put(path, { metadata: { ...metadata, publisher: "" } });
  await karin.server.delete(`${path}/files/README.md`);
  await go("README.md");
  await expect(page.getByText("README.md was removed or renamed")).toBeVisible();
  await expect(notes("README.md")).toBeInViewport();
  await expect(notes("part 45.txt")).toHaveCount(0);
  await go("Publisher");
  await expect(page.getByText("Publisher is empty now")).toBeVisible();
  await expect(notes("Publisher")).toBeInViewport();
  await notes("Publisher").getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByRole("button", { name: "1 resolved comment" })).toBeVisible();
  // What is settled and gone is told to nobody who did not come for it.
  await his.go(`/me/requests/${id}?tab=record`);
  await expect(page.getByRole("button", { name: "Comment on Title" })).toBeVisible();
  await expect(page.getByText("Publisher is empty now")).toHaveCount(0);
  expect(his.faults).toEqual([]);
  await his.context.close();
  await desk.close();
});
