import { expect, type Locator, type Page } from "@playwright/test";
import type { HttpClient } from "../support/http-client.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Presses twice before the effect of the first press is visible. */
const pressTwice = (what: Locator) =>
  what.evaluate((element) => {
    const { click } = element as unknown as { click: () => void };
    click.call(element);
    click.call(element);
  });

const enterTwice = async (what: Locator) => {
  await what.press("Enter");
  await what.press("Enter");
};

const openLinks = async ({ page, open, record }: At) => {
  await open(`/records/${record}`);
  await button(page, "Share").click();
  await page.getByRole("tab", { name: "Links" }).click();
};

const linkTo = (page: Page, whom: string) => page.getByRole("listitem").filter({ hasText: whom });

interface At {
  page: Page;
  /** Goes to a path of the app. */
  open: (path: string) => Promise<unknown>;
  /** A published record of the user. */
  record: string;
  /** Karin's replica. */
  near: HttpClient;
}

interface Twice {
  name: string;
  method?: string;
  call: RegExp;
  press: (at: At) => Promise<unknown>;
  done: (page: Page) => Promise<unknown>;
}

/** Buttons that are pressed twice, the call that shows it, and the expected result. */
export const twice: Twice[] = [
  {
    name: "New draft",
    call: /\/api\/records$/,
    press: async ({ page, open }) => {
      await open("/");
      await pressTwice(button(page, "New draft"));
    },
    done: (page) => expect(page).toHaveURL(/\/uploads\//),
  },
  {
    name: "the key for a new draft",
    call: /\/api\/records$/,
    press: async ({ page, open }) => {
      await open("/me/requests");
      await expect(page.getByRole("searchbox")).toBeVisible();
      await page.keyboard.press("n");
      await page.keyboard.press("n");
    },
    done: (page) => expect(page).toHaveURL(/\/uploads\//),
  },
  {
    name: "New version",
    call: /\/versions$/,
    press: async ({ page, open, record }) => {
      await open(`/records/${record}`);
      await pressTwice(button(page, "New version"));
    },
    done: (page) => expect(page).toHaveURL(/\/uploads\//),
  },
  {
    name: "New link",
    call: /\/access\/links$/,
    press: async (at) => {
      await openLinks(at);
      await pressTwice(button(at.page, "New link"));
    },
    done: (page) => expect(button(page, "Revoke this link")).toHaveCount(1),
  },
  {
    name: "Revoke this link",
    method: "DELETE",
    call: /\/access\/links\//,
    press: async (at) => {
      await at.near.post(`/api/records/${at.record}/access/links`, { permission: "view", description: "for a guest" });
      await openLinks(at);
      await linkTo(at.page, "for a guest").getByRole("button", { name: "Revoke this link" }).click();
      await pressTwice(at.page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }));
    },
    done: (page) => expect(linkTo(page, "for a guest")).toHaveCount(0),
  },
  {
    name: "Enter in the name of a group",
    call: /\/api\/groups$/,
    press: async ({ page, open }) => {
      await open("/people?view=groups");
      await button(page, "New group").click();
      const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
      await name.fill("divers");
      await enterTwice(name);
    },
    done: (page) => expect(button(page, "Describe divers")).toBeVisible(),
  },
  {
    name: "Enter in the name of a token",
    call: /\/api\/tokens$/,
    press: async ({ page, open }) => {
      await open("/settings/tokens");
      await button(page, "New token").click();
      const name = page.getByRole("dialog").getByRole("textbox");
      await name.fill("nightly script");
      await enterTwice(name);
    },
    done: (page) => expect(page.getByRole("alertdialog").locator("code")).toBeVisible(),
  },
  {
    name: "Enter in the name of a search",
    method: "PUT",
    call: /\/desk\/searches\//,
    press: async ({ page, open }) => {
      await open("/?q=sea");
      await button(page, "Save this search").click();
      await enterTwice(page.getByRole("dialog").getByRole("textbox", { name: "Name" }));
    },
    done: (page) => expect(page.getByRole("navigation", { name: "Saved searches" }).getByRole("link")).toHaveCount(1),
  },
];
