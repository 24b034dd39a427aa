import { press, type Screen } from "./screen.ts";

/** The dialog that shares a record, for `screens.spec.ts`. */
export const shareScreens: Screen[] = [
  { name: "record-share", path: ({ record }) => `/records/${record}`, shows: "Person", act: press("Share") },
  {
    name: "record-share-links",
    path: ({ record }) => `/records/${record}`,
    shows: "Copy link",
    act: async (page) => {
      await press("Share")(page);
      await page.getByRole("tab", { name: "Links" }).click();
      await page.getByRole("button", { name: "New link" }).click();
    },
  },
  {
    name: "record-share-requests",
    path: ({ record }) => `/records/${record}`,
    shows: "People with an account can ask",
    on: "managed",
    act: async (page) => {
      await press("Share")(page);
      await page.getByRole("tab", { name: "Requests" }).click();
      await page.getByText("Guests can ask").click();
    },
  },
];
