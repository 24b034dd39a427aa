import { expect, type Page } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { chooseByKeys } from "./keyboard.ts";
import { libraryScreens } from "./library-screens.ts";
import { reviewScreens } from "./review-screens.ts";
import type { Scene } from "./scene.ts";
import { press, type Screen } from "./screen.ts";
import { shareScreens } from "./share-screens.ts";
import { teamScreens } from "./team-screens.ts";
import { welcomeScreens } from "./welcome-screens.ts";

/** Shows the page with another status of sync. */
const withStatus = (shown: Record<string, unknown>) => async (page: Page) => {
  await page.route("**/api/sync/events", (route) => route.abort());
  await page.route("**/api/sync/status", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...shown } });
  });
  await page.reload();
};

export const screens: Screen[] = [
  ...welcomeScreens,
  ...libraryScreens,
  { name: "draft", path: ({ draft }) => `/uploads/${draft}`, shows: "Before publishing" },
  {
    name: "draft-public-view",
    path: ({ draft }) => `/uploads/${draft}/preview`,
    shows: "This is how the public will see it.",
  },
  {
    name: "draft-comments",
    path: ({ reviewed }) => `/uploads/${reviewed}`,
    shows: "The buoy was in repair",
    act: (page) => page.getByRole("tab", { name: "Comments" }).click(),
  },
  {
    name: "draft-history",
    path: ({ reviewed }) => `/uploads/${reviewed}`,
    shows: "Compare with this draft",
    act: (page) => page.getByRole("tab", { name: "History" }).click(),
  },
  {
    name: "draft-may-open",
    path: ({ draft }) => `/uploads/${draft}`,
    shows: "Who can open it",
    act: (page) => page.getByRole("tab", { name: "People" }).click(),
  },
  {
    name: "draft-here",
    path: ({ reviewed }) => `/uploads/${reviewed}`,
    shows: "Paolo Marchetti is in this field",
    act: async (_page, { troubled, reviewed }) => {
      const his = new HttpClient(troubled.url, troubled.guard.secret);
      const seat = await his.put(`/api/sync/presence/${reviewed}/window`, { field: "metadata.title" });
      expect(seat.status, seat.text).toBeLessThan(300);
    },
  },
  {
    name: "draft-more",
    path: ({ disputed }) => `/uploads/${disputed}`,
    shows: "A first catalogue",
    on: "troubled",
    act: async (page) => {
      await page.locator("summary", { hasText: "Other titles" }).click();
      const titles = page.getByRole("group", { name: "Other titles" });
      await chooseByKeys(titles.getByRole("combobox", { name: "Kind" }), "sub", "Subtitle");
      await titles.getByRole("textbox", { name: "Text" }).fill("A first catalogue");
      await titles.getByRole("textbox", { name: "Text" }).press("Enter");
      await page.getByRole("heading", { name: "Further details" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "draft-people",
    path: ({ draft }) => `/uploads/${draft}`,
    shows: "Family name",
    act: async (page) => {
      await press("Add a person")(page);
      const family = page.getByRole("combobox", { name: "Family name" });
      await family.focus();
      await page.keyboard.type("okon");
      // A creator from other drafts, with an ORCID.
      await page.getByRole("option", { name: "Okonkwo, Adaeze" }).waitFor();
      await family.press("ArrowDown");
      await family.press("Enter");
      await expect(page.getByRole("textbox", { name: "ORCID" })).toHaveValue("0000-0002-1825-0097");
    },
    // Escape does not close it, since something was typed.
    spoilsWindow: true,
  },
  {
    name: "draft-publish",
    path: ({ draft }) => `/uploads/${draft}`,
    shows: "Publish this draft?",
    act: press("Publish"),
  },
  {
    name: "draft-review",
    path: ({ draft }) => `/uploads/${draft}`,
    shows: "Request a review",
    act: press("Submit for review"),
  },
  { name: "record", path: ({ record }) => `/records/${record}`, shows: "Cite" },
  ...["stations.csv", "settings.json", "NOTES.md", "run.py"].map((file) => ({
    name: `preview-${file.split(".")[1]}`,
    path: ({ shown }: Scene) => `/records/${shown}`,
    shows: file,
    act: (page: Page) => page.getByRole("button", { name: `Preview ${file}`, exact: true }).click(),
  })),
  { name: "compare", path: ({ edited }) => `/records/${edited}/compare/draft`, shows: "Show unchanged fields" },
  {
    name: "compare-reviewed",
    path: "/",
    shows: /^Your last review/,
    on: "troubled",
    act: async (page, { troubled, reviewed }) => {
      const his = new HttpClient(troubled.url, troubled.guard.secret);
      const { body } = await his.get(`/api/records/${reviewed}/draft`);
      const then = { ...body, metadata: { ...body.metadata, version: "1.9" } };
      const files = (await his.get(`/api/records/${reviewed}/draft/files`)).body.entries;
      const note = { body: then, files, when: body.created };
      expect((await his.put(`/api/sync/desk/reviews/${reviewed}`, { value: note })).status).toBe(200);
      const [first] = (await his.get(`/api/records/${reviewed}/versions`)).body.hits.hits;
      await page.goto(`${troubled.url}/records/${first.id}/compare/draft:${reviewed}?since=review`);
    },
  },
  {
    name: "draft-import",
    path: ({ draft }) => `/uploads/${draft}`,
    shows: "Okonkwo, Adaeze",
    act: async (page) => {
      await press("More for this draft")(page);
      await page.getByRole("menuitem", { name: "Fill in from a citation" }).click();
      const bibtex = "@article{a, author = {Okonkwo, Adaeze}, title = {Coasts in retreat}, version = {2}, year = 2020}";
      await page.getByRole("textbox", { name: "Citation" }).fill(bibtex);
    },
  },
  {
    name: "record-remove",
    path: ({ record }) => `/records/${record}`,
    shows: "How it was cited",
    on: "managed",
    act: async (page) => {
      await press("More for this record")(page);
      await page.getByRole("menuitem", { name: "Delete record" }).click();
    },
  },
  { name: "record-removed", path: ({ removed }) => `/records/${removed}`, shows: "Test record", on: "managed" },
  {
    name: "container",
    path: ({ record }) => `/records/${record}/files/data/sst-1998-2003.zip?path=README.md`,
    shows: "One file a day.",
    act: async (page) => {
      await page.getByRole("treeitem", { name: "sst" }).click();
      await page.getByRole("tree").press("Space");
      await expect(page.getByText("120 files selected")).toBeVisible();
      await page.getByRole("treeitem", { name: "README.md" }).click();
    },
  },
  {
    name: "container-away",
    path: ({ record }) => `/records/${record}/files/data/sst-1998-2003.zip`,
    shows: "Not on this computer",
    spoilsWindow: true,
    act: async (page) => {
      const message =
        "The bytes of this file are not on this computer, and the server that has them cannot be reached.";
      await page.route("**/container?*", (route) => route.fulfill({ status: 503, json: { status: 503, message } }));
      await page.reload();
      await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    },
  },
  {
    name: "container-filter",
    path: ({ record }) => `/records/${record}/files/data/sst-1998-2003.zip?q=2001-1`,
    shows: "sst-2001-11.csv",
  },
  { name: "requests", path: "/me/requests", shows: "opened by Karin Lindqvist" },
  { name: "requests-needs-me", path: "/me/requests?view=needs_me", shows: "Needs me", on: "troubled" },
  { name: "requests-none", path: "/me/requests?status=expired", shows: "Nothing matches" },
  { name: "request", path: ({ request }) => `/me/requests/${request}`, shows: "The buoy was in repair" },
  { name: "request-record", path: ({ request }) => `/me/requests/${request}?tab=record`, shows: "the protocol" },
  { name: "request-changes", path: ({ request }) => `/me/requests/${request}?tab=changes`, shows: "by kriging" },
  {
    name: "request-files",
    path: ({ request }) => `/me/requests/${request}?tab=files`,
    shows: "repair",
    on: "troubled",
    act: press("Preview gaps.csv"),
  },
  {
    name: "request-reply",
    path: ({ request }) => `/me/requests/${request}`,
    shows: "Send reply",
    act: press("Reply"),
  },
  {
    name: "request-decide",
    path: ({ request }) => `/me/requests/${request}`,
    shows: "Decline this request?",
    on: "troubled",
    act: press("Decline"),
  },
  {
    name: "request-returned",
    path: ({ returned }) => `/me/requests/${returned}`,
    shows: "Changes requested by Paolo Marchetti",
  },
  {
    name: "draft-returned",
    path: ({ returnedDraft }) => `/uploads/${returnedDraft}`,
    shows: "Please say which conductivity cell was used",
  },
  {
    name: "request-reviewers",
    path: ({ request }) => `/me/requests/${request}`,
    shows: "Each of them can read and change the draft",
    act: press("Change reviewers"),
  },
  {
    name: "request-ready-again",
    path: ({ returned }) => `/me/requests/${returned}`,
    shows: "Ready for review again?",
    act: press("Ready for review again"),
  },
  {
    name: "request-ask-changes",
    path: ({ request }) => `/me/requests/${request}`,
    shows: "What should change?",
    on: "troubled",
    act: press("Request changes"),
  },
  {
    name: "request-lock",
    path: ({ request }) => `/me/requests/${request}`,
    shows: "Lock this conversation?",
    on: "troubled",
    act: press("Lock conversation"),
  },
  ...reviewScreens,
  { name: "sync", path: "/sync", shows: "Everything you did is on the server." },
  { name: "sync-panel", path: "/", shows: "Sync now", act: press(/Up to date/) },
  {
    name: "sync-asks",
    path: "/sync",
    shows: "Remove it here too",
    spoilsWindow: true,
    act: withStatus({ state: "paused", paused: true, online: false, pending: 2, asks: "removal" }),
  },
  {
    name: "sync-disk-full",
    path: "/sync",
    shows: "The disk of this computer is full",
    spoilsWindow: true,
    act: withStatus({ state: "offline", online: false, pending: 2, asks: "space" }),
  },
  { name: "sync-needs-you", path: "/sync", shows: "Use the other", on: "troubled" },
  {
    name: "sync-compare",
    path: "/sync",
    shows: "On the server now",
    on: "troubled",
    act: press("Compare"),
  },
  { name: "draft-disputed", path: ({ disputed }) => `/uploads/${disputed}`, shows: "Keep mine", on: "troubled" },
  ...teamScreens,
  ...shareScreens,
  { name: "activity", path: "/activity", shows: "Paolo" },
  {
    name: "palette",
    path: ({ draft }) => `/uploads/${draft}`,
    shows: "On this page",
    act: press("Search and commands"),
  },
  {
    name: "palette-found",
    path: "/",
    shows: "Records and drafts",
    act: async (page) => {
      await press("Search and commands")(page);
      await page.getByRole("dialog").getByRole("searchbox").fill("se");
    },
  },
  {
    name: "shortcuts",
    path: "/",
    shows: "Single-key shortcuts",
    act: async (page) => {
      await page.getByRole("button", { name: "New draft" }).first().waitFor();
      await page.keyboard.press("?");
    },
  },
  { name: "damaged", path: "/", shows: "Your library cannot be read", on: "damaged" },
  { name: "unknown", path: "/records/00000-00000", shows: /persistent identifier|Nothing is at this address/ },
];
