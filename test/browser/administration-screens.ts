import { press, type Screen } from "./screen.ts";

/** Screens of the administration (app, Missing 10). */
export const administrationScreens: Screen[] = [
  { name: "administration", path: "/administration", shows: "Active people", on: "managed" },
  { name: "administration-people", path: "/administration/people", shows: "karin@example.org", on: "managed" },
  {
    name: "administration-invite",
    path: "/administration/people",
    shows: "works once, for seven days",
    on: "managed",
    act: press("Invite a person"),
  },
  { name: "administration-groups", path: "/administration/groups", shows: "night-shift", on: "managed" },
  {
    name: "administration-collections",
    path: "/administration/collections",
    shows: "Stations of the Arctic",
    on: "managed",
  },
  {
    name: "collection-new",
    path: "/administration/collections",
    shows: "/collections/ice-and-water",
    on: "managed",
    act: async (page) => {
      await press("New collection")(page);
      await page.getByRole("textbox", { name: "Title" }).fill("Ice and water");
      await page.getByRole("textbox", { name: "Query" }).fill("sea OR arctic OR adriatic");
      await page.getByText(/Finds \d+ record/).waitFor();
    },
    // Escape does not close it, since something was typed.
    spoilsWindow: true,
  },
  { name: "collections", path: "/me/collections", shows: "Stations of the Arctic" },
  { name: "administration-records", path: "/administration/records", shows: "Restore", on: "managed" },
  { name: "administration-storage", path: "/administration/storage", shows: "Who uses most", on: "managed" },
  {
    name: "administration-backups",
    path: "/administration/backups",
    shows: "carrel restore",
    on: "managed",
  },
  { name: "administration-mail", path: "/administration/mail", shows: "No unsent mail", on: "managed" },
  { name: "administration-dois", path: "/administration/dois", shows: "not registered", on: "managed" },
  { name: "administration-audit", path: "/administration/audit", shows: "Who did what on the server", on: "managed" },
  { name: "administration-denied", path: "/administration", shows: "For administrators", on: "troubled" },
  {
    name: "person-deactivate",
    path: ({ karin }) => `/people/${karin.id}`,
    shows: "They are signed out everywhere",
    on: "managed",
    act: press("Deactivate"),
  },
];
