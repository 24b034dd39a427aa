import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow, type Person } from "./desk.ts";
import {
  givenEdited,
  givenNextVersion,
  givenReview,
  givenSample,
  previewFiles,
  sampleTitles,
  smallZip,
} from "./samples.ts";
import { givenTrouble } from "./trouble.ts";

// Every screen, light and dark: a picture into .screenshots/ for people to judge, and two rules for the machine:
// axe finds nothing, the content security policy refuses nothing.

// Each worker has a desk of its own.
test.describe.configure({ mode: "parallel" });

const themes = ["light", "dark"] as const;
let desk: Desk;
let karin: Person;
let paolo: Person;
let replica: RunningReplica;
let alone: RunningReplica;
let troubled: RunningReplica;
let managed: RunningReplica;
let signedOut: RunningReplica;
let disputed: string;
let record: string;
let shown: string;
let edited: string;
let draft: string;
let request: string;
let reviewed: string;

/** A computer whose token was revoked while something waited. */
async function givenSignedOut(): Promise<RunningReplica> {
  const noor = await desk.person("noor", "Noor Haddad");
  const host = await desk.replica(noor);
  const near = new HttpClient(host.url, host.door.secret);
  await near.post("/api/sync/pause");
  await near.post("/api/records", { metadata: { title: "Kept while signed out" }, files: { enabled: false } });
  expect((await noor.server.delete("/api/tokens/current")).status).toBe(204);
  await near.post("/api/sync/resume");
  await expect.poll(async () => (await near.get("/api/sync/status")).body.state, { timeout: 30_000 }).toBe("sign_in");
  return host;
}

/** Somebody who administers the team, and groups of it. */
async function givenManager(): Promise<Person> {
  const boss = await desk.person("ruth", "Ruth Okafor", ["superuser-access"]);
  await boss.server.post("/api/groups", { name: "curators", description: "Check drafts before they are published" });
  await boss.server.post("/api/groups", { name: "night-shift" });
  await boss.server.post(`/api/users/${karin.id}/groups`, { groups: ["curators", "administration-moderation"] });
  return boss;
}

test.beforeAll(async () => {
  test.setTimeout(120_000);
  desk = await Desk.open();
  karin = await desk.person("karin", "Karin Lindqvist");
  paolo = await desk.person("paolo", "Paolo Marchetti");
  const zip = await smallZip();
  record = await givenSample(karin.server, 0, { zip });
  for (const index of [1, 2]) await givenSample(karin.server, index);
  edited = await givenEdited(karin.server);
  shown = await givenSample(karin.server, 2, { files: previewFiles, title: "Things to look at" });
  draft = await givenSample(karin.server, 3, { isPublished: false, zip });
  reviewed = await givenNextVersion(karin.server, zip);
  request = await givenReview(karin.server, paolo, reviewed);
  replica = await desk.replica(karin);
  alone = await desk.replica();
  managed = await desk.replica(await givenManager());
  signedOut = await givenSignedOut();
  troubled = await desk.replica(paolo);
  disputed = await givenTrouble(paolo, troubled);
});

test.afterAll(async () => {
  await desk.close();
});

interface Screen {
  name: string;
  path: () => string;
  shows: string | RegExp;
  on?: () => RunningReplica;
  isNew?: boolean;
  act?: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

const screens: Screen[] = [
  { name: "welcome", path: () => "/welcome", shows: "Welcome to Carrel", on: () => alone, isNew: true },
  {
    name: "welcome-server",
    path: () => "/welcome",
    shows: "Server address",
    on: () => alone,
    isNew: true,
    act: (page) => page.getByText("Connect to a team server").click(),
  },
  { name: "library", path: () => "/", shows: sampleTitles[2] ?? "" },
  { name: "library-away", path: () => "/", shows: "While you were away" },
  { name: "library-empty", path: () => "/", shows: "Your library is empty", on: () => alone },
  { name: "library-search", path: () => "/?view=published&q=protocol+chloroplasts", shows: "the protocol" },
  {
    name: "library-help",
    path: () => "/?q=sea",
    shows: "Press an example to try it.",
    act: press("How to search"),
  },
  {
    name: "library-save",
    path: () => "/?q=sea&publication_date=2021..2023",
    shows: "Name",
    act: press("Save this search"),
  },
  { name: "library-server", path: () => "/?view=published&q=sea&scope=server", shows: /nothing more/ },
  { name: "library-nothing", path: () => "/?q=zzzz", shows: "Nothing matches" },
  { name: "library-published", path: () => "/?view=published", shows: sampleTitles[0] ?? "" },
  { name: "draft", path: () => `/uploads/${draft}`, shows: "Before publishing" },
  {
    name: "draft-here",
    path: () => `/uploads/${reviewed}`,
    shows: "Paolo Marchetti is in this field",
    act: async () => {
      const his = new HttpClient(troubled.url, troubled.door.secret);
      const seat = await his.put(`/api/sync/presence/${reviewed}/window`, { field: "metadata.title" });
      expect(seat.status, seat.text).toBeLessThan(300);
    },
  },
  { name: "draft-people", path: () => `/uploads/${draft}`, shows: "Family name", act: press("Add a person") },
  { name: "draft-publish", path: () => `/uploads/${draft}`, shows: "Publish this draft?", act: press("Publish") },
  {
    name: "draft-review",
    path: () => `/uploads/${draft}`,
    shows: "Ask for a review",
    act: press("Submit for review"),
  },
  { name: "record", path: () => `/records/${record}`, shows: "Cite" },
  ...["stations.csv", "settings.json", "NOTES.md", "run.py"].map((file) => ({
    name: `preview-${file.split(".")[1]}`,
    path: () => `/records/${shown}`,
    shows: file,
    act: (page: Page) => page.getByRole("button", { name: `Preview ${file}`, exact: true }).click(),
  })),
  {
    name: "library-look",
    path: () => "/?view=published&q=look",
    shows: "Preview",
    act: async (page) => {
      await page.getByRole("link", { name: /look/ }).first().focus();
      await page.keyboard.press("Space");
      await press(/NOTES.md/)(page);
    },
  },
  { name: "compare", path: () => `/records/${edited}/compare/draft`, shows: "Show what stayed the same" },
  {
    name: "draft-import",
    path: () => `/uploads/${draft}`,
    shows: "Okonkwo, Adaeze",
    act: async (page) => {
      await press("More for this draft")(page);
      await page.getByRole("menuitem", { name: "Fill in from a citation" }).click();
      const bibtex = "@article{a, author = {Okonkwo, Adaeze}, title = {Coasts in retreat}, version = {2}, year = 2020}";
      await page.getByRole("textbox", { name: "Citation" }).fill(bibtex);
    },
  },
  { name: "record-share", path: () => `/records/${record}`, shows: "Person", act: press("Share") },
  {
    name: "record-share-links",
    path: () => `/records/${record}`,
    shows: "Copy link",
    act: async (page) => {
      await press("Share")(page);
      await page.getByRole("tab", { name: "Links" }).click();
      await page.getByRole("button", { name: "New link" }).click();
    },
  },
  {
    name: "container",
    path: () => `/records/${record}/files/data/sst-1998-2003.zip?path=README.md`,
    shows: "One file a day.",
  },
  {
    name: "container-filter",
    path: () => `/records/${record}/files/data/sst-1998-2003.zip?q=2001-1`,
    shows: "sst-2001-11.csv",
  },
  { name: "requests", path: () => "/me/requests", shows: "opened by Karin Lindqvist" },
  { name: "requests-none", path: () => "/me/requests?status=expired", shows: "Nothing matches" },
  { name: "request", path: () => `/me/requests/${request}`, shows: "The buoy was in repair" },
  { name: "request-record", path: () => `/me/requests/${request}?tab=record`, shows: "the protocol" },
  { name: "request-changes", path: () => `/me/requests/${request}?tab=changes`, shows: "by kriging" },
  {
    name: "request-files",
    path: () => `/me/requests/${request}?tab=files`,
    shows: "repair",
    on: () => troubled,
    act: press("Preview gaps.csv"),
  },
  {
    name: "request-reply",
    path: () => `/me/requests/${request}`,
    shows: "Send reply",
    act: press("Reply"),
  },
  {
    name: "request-decide",
    path: () => `/me/requests/${request}`,
    shows: "Decline this request?",
    on: () => troubled,
    act: press("Decline"),
  },
  {
    name: "request-lock",
    path: () => `/me/requests/${request}`,
    shows: "Lock this conversation?",
    on: () => troubled,
    act: press("Lock conversation"),
  },
  { name: "sync", path: () => "/sync", shows: "Everything you did is on the server." },
  { name: "sync-panel", path: () => "/", shows: "Sync now", act: press(/Up to date/) },
  { name: "sync-needs-you", path: () => "/sync", shows: "Use theirs", on: () => troubled },
  { name: "draft-disputed", path: () => `/uploads/${disputed}`, shows: "Keep mine", on: () => troubled },
  { name: "library-troubled", path: () => "/", shows: "Needs you", on: () => troubled },
  { name: "settings", path: () => "/settings", shows: "Disconnect, keep my data" },
  {
    name: "settings-sign-in",
    path: () => "/settings",
    shows: "Sign in again to go on sending",
    on: () => signedOut,
  },
  { name: "settings-connect", path: () => "/settings", shows: "User name or e-mail address", on: () => alone },
  { name: "activity", path: () => "/activity", shows: "Paolo" },
  { name: "palette", path: () => `/uploads/${draft}`, shows: "On this page", act: press("Search and commands") },
  {
    name: "palette-found",
    path: () => "/",
    shows: "Records and drafts",
    act: async (page) => {
      await press("Search and commands")(page);
      await page.keyboard.type("se");
    },
  },
  {
    name: "shortcuts",
    path: () => "/",
    shows: "Use single keys",
    act: async (page) => {
      await page.getByRole("button", { name: "New draft" }).first().waitFor();
      await page.keyboard.press("?");
    },
  },
  { name: "people", path: () => "/people", shows: "Karin Lindqvist", on: () => managed },
  { name: "people-add", path: () => "/people", shows: "carrel users create", on: () => managed, act: press("Add a") },
  { name: "people-alone", path: () => "/people", shows: "No server is connected", on: () => alone },
  { name: "people-reader", path: () => "/people", shows: "You can look around here", on: () => troubled },
  { name: "person", path: () => `/people/${karin.id}`, shows: "curators", on: () => managed },
  { name: "groups", path: () => "/people?view=groups", shows: "night-shift", on: () => managed },
  {
    name: "groups-new",
    path: () => "/people?view=groups",
    shows: "This name is protected",
    on: () => managed,
    act: async (page) => {
      await press("New group")(page);
      await page.getByRole("textbox", { name: "Name" }).fill("admin");
    },
  },
  { name: "unknown", path: () => "/records/00000-00000", shows: /persistent identifier|Nothing is at this address/ },
];

for (const { name, path, shows, on = () => replica, isNew = false, act } of screens)
  test(`${name}, ${themes.join(" and ")}`, async ({ browser }) => {
    const { page, context, faults } = await openWindow(browser, on(), { isNew, path: path() });
    await act?.(page);
    await expect(page.getByText(shows).first()).toBeVisible();
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `.screenshots/${name}-${theme}.png` });
      // Without frames inside, the page alone is looked at, which takes half the time.
      expect(page.frames()).toHaveLength(1);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(
        violations.map(
          ({ id, nodes }) => `${theme}, ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
        ),
      ).toEqual([]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
