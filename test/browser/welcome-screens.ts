import type { Screen } from "./screen.ts";

/** The first start. */
export const welcomeScreens: Screen[] = [
  { name: "welcome", path: "/welcome", shows: "Welcome to Carrel", on: "alone", isNew: true },
  {
    name: "welcome-server",
    path: "/welcome",
    shows: "Server address",
    on: "alone",
    isNew: true,
    act: (page) => page.getByText("Connect to a team server").click(),
  },
  {
    name: "welcome-existing",
    path: "/welcome",
    shows: "There is no folder /media/my disk/library",
    on: "alone",
    isNew: true,
    act: async (page) => {
      await page.getByText("Open an existing library").click();
      await page.getByRole("textbox", { name: "Folder" }).fill("/media/my disk/library");
      await page.getByRole("button", { name: "Open this library" }).click();
    },
  },
];
