import { expect } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { administrationScreens } from "./administration-screens.ts";
import { press, type Screen } from "./screen.ts";

/** Screens of settings, people and groups, for `screens.spec.ts`. */
export const teamScreens: Screen[] = [
  { name: "settings", path: "/settings", shows: "Disconnect and keep my data" },
  { name: "settings-drafts", path: "/settings/drafts", shows: "Today as publication date" },
  {
    name: "settings-storage",
    path: "/settings/storage",
    shows: "Largest items",
    act: async (page, { replica, record }) => {
      const near = new HttpClient(replica.url, replica.guard.secret);
      const kept = await near.put("/api/sync/keeping", { records: [record], most: 5e9 });
      expect(kept.status, kept.text).toBe(200);
      await page.reload();
    },
  },
  { name: "settings-profile", path: "/settings/profile", shows: "Others can find my profile" },
  { name: "settings-tokens", path: "/settings/tokens", shows: "Last used" },
  { name: "settings-storage-empty", path: "/settings/storage", shows: "No files are on this computer", on: "alone" },
  {
    name: "settings-found",
    path: "/settings",
    shows: "pause file transfers",
    act: (page) => page.getByRole("searchbox", { name: "Search settings" }).fill("metered"),
  },
  {
    name: "settings-sign-in",
    path: "/settings",
    shows: "Sign in again to continue sending",
    on: "signedOut",
  },
  { name: "settings-connect", path: "/settings", shows: "User name or e-mail address", on: "alone" },
  { name: "people", path: "/people", shows: "Karin Lindqvist", on: "managed" },
  { name: "people-alone", path: "/people", shows: "No server is connected", on: "alone" },
  { name: "people-reader", path: "/people", shows: "You can look around here", on: "troubled" },
  { name: "person", path: ({ karin }) => `/people/${karin.id}`, shows: "curators", on: "managed" },
  ...administrationScreens,
  { name: "groups", path: "/people?view=groups", shows: "night-shift", on: "managed" },
  {
    name: "groups-members",
    path: "/people?view=groups",
    shows: "karin@example.org",
    on: "managed",
    act: press("Members of curators"),
  },
  {
    name: "groups-new",
    path: "/people?view=groups",
    shows: "This name is reserved",
    on: "managed",
    act: async (page) => {
      await press("New group")(page);
      await page.getByRole("textbox", { name: "Name" }).fill("admin");
    },
  },
];
