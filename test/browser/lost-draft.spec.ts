import { expect, type Page, test } from "@playwright/test";
import { Desk, type Person } from "./desk.ts";
import { hold } from "./hold.ts";
import { takePictures } from "./picture.ts";
import { appHosts, openSeat } from "./seats.ts";

const field = (page: Page, name: string) => page.getByRole("textbox", { name });
const remake = (page: Page) => page.getByRole("button", { name: "Make a new draft of it" });
const statement = (page: Page, words: string | RegExp) => page.getByRole("heading", { name: words, level: 2 });

const metadata = {
  title: "Tide gauges",
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  creators: [{ person_or_org: { type: "personal", family_name: "Mohr", given_name: "Ada" } }],
};

for (const host of appHosts)
  test.describe(`a draft that disappears while it is open, on the ${host} (issue 17)`, () => {
    let desk: Desk;
    let ada: Person;
    let bo: Person;
    test.beforeAll(async () => {
      desk = await Desk.open();
      ada = await desk.person("ada", "Ada Mohr", ["superuser-access"]);
      bo = await desk.person("bo", "Bo Ng");
    });
    test.afterAll(() => desk.close());

    /** A draft of Ada that Bo has open, and what he typed into it. */
    async function givenOpen(browser: Parameters<typeof openSeat>[0]) {
      const { body } = await ada.server.post("/api/records", { metadata, files: { enabled: false } });
      const id: string = body.id;
      const grants = [{ permission: "edit", subject: { type: "user", id: bo.id } }];
      expect((await ada.server.post(`/api/records/${id}/access/grants`, { grants })).status).toBe(201);
      const seat = await openSeat(browser, desk, bo, host);
      await seat.go(`/uploads/${id}`);
      await expect(field(seat.page, "Title")).toHaveValue("Tide gauges");
      await field(seat.page, "Title").press("End");
      await seat.page.keyboard.type(" of 2025");
      await expect.poll(titleOf(ada, id)).toBe("Tide gauges of 2025");
      return { id, ...seat };
    }

    /**
     * Has another window take the lock of this tab as soon as its page ends, as if the browser released it late.
     * @returns releases the lock, once the reloaded page waits for it
     */
    async function takeTabLock(page: Page) {
      const name = await page.evaluate(() => `carrel.tab ${sessionStorage.getItem("carrel.tab")}`);
      const other = await page.context().newPage();
      await other.goto(new URL("/me/uploads", page.url()).href);
      await other.evaluate((lock) => {
        const hold = () => {
          document.documentElement.dataset.holds = lock;
          return new Promise<void>(() => {});
        };
        void navigator.locks.request(lock, hold);
      }, name);
      const isAwaited = () =>
        other.evaluate(async (lock) => {
          const { pending = [] } = await navigator.locks.query();
          return document.documentElement.dataset.holds === lock && pending.some((each) => each.name === lock);
        }, name);
      return async () => {
        await expect.poll(isAwaited).toBe(true);
        await other.close();
      };
    }

    const titleOf = (person: Person, id: string) => async () =>
      (await person.server.get(`/api/records/${id}/draft`)).body.metadata?.title;

    /** The words survive a reload, and make a new draft. */
    async function expectKept(page: Page, words: string | RegExp, title: string) {
      const old = page.url();
      await page.reload();
      await expect(statement(page, words)).toBeVisible();
      await expect(field(page, "Title")).toHaveValue(title);
      await takePictures(page, `lost-draft-${title}`);
      await remake(page).click();
      await expect(page.getByRole("button", { name: "Publish", exact: true })).toBeVisible();
      expect(page.url()).not.toBe(old);
      await expect(field(page, "Title")).toHaveValue(title);
      const made = page.url().split("/").at(-1) ?? "";
      await expect.poll(titleOf(bo, made)).toBe(title);
      await page.goto(old);
      await expect(page.getByRole("button", { name: "Go to the library" })).toBeVisible();
      await expect(remake(page)).toHaveCount(0);
    }

    test("discarded by somebody else: typing goes on, and a new draft gets all of it", async ({ browser }) => {
      const { page, id, context, faults } = await givenOpen(browser);
      expect((await ada.server.delete(`/api/records/${id}/draft`)).status).toBe(204);
      await expect(statement(page, "This draft was discarded")).toBeVisible();
      await expect(field(page, "Title")).toBeFocused();
      const doi = page.getByRole("group", { name: "DOI" });
      await expect(doi.getByRole("button", { name: "I already have a DOI" })).toBeVisible();
      await expect(doi.getByRole("button", { name: "Reserve a DOI" })).toHaveCount(0);
      await page.keyboard.type(", in new words");
      await expectKept(page, "This draft was discarded", "Tide gauges of 2025, in new words");
      expect(faults).toEqual([]);
      await context.close();
    });

    test("the kept words are deleted, once the user has confirmed it", async ({ browser }) => {
      const { page, id, context, faults } = await givenOpen(browser);
      expect((await ada.server.delete(`/api/records/${id}/draft`)).status).toBe(204);
      await expect(statement(page, "This draft was discarded")).toBeVisible();
      await page.keyboard.type(", not needed");
      const old = page.url();
      const drop = page.getByRole("button", { name: "Delete my changes" });
      await drop.click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
      await expect(field(page, "Title")).toHaveValue("Tide gauges of 2025, not needed");
      await drop.click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete my changes" }).click();
      await expect(page).toHaveURL(/\/me\/uploads$/);
      await page.goto(old);
      await expect(page.getByRole("button", { name: "Go to the library" })).toBeVisible();
      await expect(page.getByText("not needed")).toHaveCount(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    test("access withdrawn: the words stay", async ({ browser }) => {
      const { page, id, context, faults } = await givenOpen(browser);
      expect((await ada.server.delete(`/api/records/${id}/access/grants/0`)).status).toBe(204);
      const words = "You no longer have access to this draft";
      await expect(statement(page, words)).toBeVisible();
      await page.keyboard.type(" now");
      await expectKept(page, words, "Tide gauges of 2025 now");
      expect(faults).toEqual([]);
      await context.close();
    });

    test("kept words stay though a later tab can store nothing more", async ({ browser }) => {
      const { page, id, context } = await givenOpen(browser);
      expect((await ada.server.delete(`/api/records/${id}/draft`)).status).toBe(204);
      await expect(statement(page, "This draft was discarded")).toBeVisible();
      await page.keyboard.type(", kept");
      const old = page.url();
      await page.reload();
      await expect(field(page, "Title")).toHaveValue("Tide gauges of 2025, kept");
      const full = await context.newPage();
      await full.addInitScript(() => {
        IDBObjectStore.prototype.put = () => {
          document.documentElement.dataset.refusals = "some";
          throw new DOMException("no room", "QuotaExceededError");
        };
      });
      await page.close();
      await full.goto(old);
      await expect(field(full, "Title")).toHaveValue("Tide gauges of 2025, kept");
      await expect(full.locator("html[data-refusals]")).toBeAttached();
      await full.close();
      const later = await context.newPage();
      await later.goto(old);
      await expect(field(later, "Title")).toHaveValue("Tide gauges of 2025, kept");
      await context.close();
    });

    test("the record is deleted: the statement says who deleted it and when", async ({ browser }) => {
      const { page, id, context, faults } = await givenOpen(browser);
      expect((await ada.server.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
      await page.waitForURL(new RegExp(`/records/${id}$`));
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await field(page, "Title").press("End");
      await page.keyboard.type(" again");
      await expect.poll(titleOf(ada, id)).toBe("Tide gauges of 2025 again");
      expect((await ada.server.delete(`/api/records/${id}/delete`, {})).status).toBe(204);
      const words = new RegExp(`^Ada Mohr deleted this record on .*${new Date().getFullYear()}`);
      await expect(statement(page, words)).toBeVisible();
      await page.keyboard.type(" and again");
      await expectKept(page, words, "Tide gauges of 2025 again and again");
      expect(faults).toEqual([]);
      await context.close();
    });

    test("published by somebody else before the last words were saved: they are kept", async ({ browser }) => {
      const { page, id, context } = await givenOpen(browser);
      const saves: (() => Promise<void>)[] = [];
      await page.route(new RegExp(`/api/records/${id}/draft$`), (route) => {
        if (route.request().method() !== "PUT") return route.fallback();
        saves.push(() => route.fallback());
      });
      await page.keyboard.type(" unsaved");
      await expect.poll(() => saves.length).toBe(1);
      expect((await ada.server.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
      const words = /^This draft was published on /;
      await expect(statement(page, words)).toBeVisible();
      await saves[0]?.();
      await page.unrouteAll();
      const release = await takeTabLock(page);
      await page.reload();
      await release();
      await expect(statement(page, words)).toBeVisible();
      await expect(field(page, "Title")).toHaveValue("Tide gauges of 2025 unsaved");
      await page.getByRole("link", { name: "Open the record" }).click();
      await expect(page.getByRole("heading", { name: "Tide gauges of 2025", exact: true })).toBeVisible();
      await context.close();
    });

    test("letters typed after the form has vanished are no shortcuts", async ({ browser }) => {
      const { page, id, context, faults } = await givenOpen(browser);
      await expect(page.getByText(/^Saved/)).toBeVisible();
      expect((await ada.server.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
      await page.waitForURL(new RegExp(`/records/${id}$`));
      await expect(page.getByRole("button", { name: "Edit", exact: true })).toBeVisible();
      // To the settings, if they were a shortcut.
      await page.keyboard.type("gs");
      await page.keyboard.press("Escape");
      await page.keyboard.type("gl");
      await page.waitForURL(/\/me\/uploads$/);
      await page.goBack();
      await page.waitForURL(new RegExp(`/records/${id}$`));
      expect(faults).toEqual([]);
      await context.close();
    });

    test("access lowered: the line with its buttons stays during a save; they make a new draft of the words, or delete them", async ({
      browser,
    }) => {
      const { page, id, context, faults } = await givenOpen(browser);
      const path = `/api/records/${id}/access/grants/0`;
      const lowered = { permission: "preview", subject: { type: "user", id: bo.id } };
      expect((await ada.server.patch(path, { permission: lowered.permission })).status).toBe(200);
      // On a replica it holds once the feed has brought it.
      await expect(async () => {
        await page.keyboard.type("!");
        await expect(page.getByText("Not saved: you may not change this draft.")).toBeVisible({ timeout: 2000 });
      }).toPass();
      const typed = await field(page, "Title").inputValue();
      await page.reload();
      await expect(page.getByText("Not saved: you may not change this draft.")).toBeVisible();
      await expect(field(page, "Title")).toHaveValue(typed);
      const saving = await hold(page, "PUT", new RegExp(`/api/records/${id}/draft$`));
      await field(page, "Title").press("End");
      await page.keyboard.type("?");
      await expect.poll(() => saving.count).toBe(1);
      await remake(page).click();
      await expect(page).not.toHaveURL(new RegExp(id));
      await expect(field(page, "Title")).toHaveValue(`${typed}?`);
      await saving.release();
      await expect.poll(titleOf(bo, page.url().split("/").at(-1) ?? "")).toBe(`${typed}?`);
      await page.goto(`/uploads/${id}`);
      await expect(field(page, "Title")).toHaveValue("Tide gauges of 2025");
      await field(page, "Title").press("End");
      await page.keyboard.type(" and 2026");
      await page.getByRole("button", { name: "Delete my changes" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete my changes" }).click();
      await page.waitForURL(/\/me\/uploads$/);
      await page.goto(`/uploads/${id}`);
      await expect(field(page, "Title")).toHaveValue("Tide gauges of 2025");
      expect(faults).toEqual([]);
      await context.close();
    });
  });
