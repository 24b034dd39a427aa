import { expect } from "@playwright/test";
import { sampleTitles } from "./samples.ts";
import { press, type Screen } from "./screen.ts";

/** Screens of the library, for `screens.spec.ts`. */
export const libraryScreens: Screen[] = [
  { name: "library", path: "/", shows: sampleTitles[2] ?? "" },
  { name: "library-away", path: "/", shows: "While you were away" },
  { name: "library-empty", path: "/", shows: "Your library is empty", on: "alone" },
  {
    name: "library-import",
    path: "/",
    shows: "2 of 2 chosen",
    act: async (page) => {
      await press("Other ways to begin a draft")(page);
      await page.getByRole("menuitem", { name: "Import citations" }).click();
      const bibtex = `@article{a, author = {Okonkwo, Adaeze and Lindqvist, Karin}, title = {Coasts in retreat}, year = 2020, note = {To read}}
@book{b, title = {Ice and salt: a field guide}, author = {Marchetti, Paolo}, year = 2018, doi = {10.5072/ice}}`;
      await page.getByRole("textbox", { name: "Citations" }).fill(bibtex);
    },
  },
  {
    name: "library-start-from",
    path: "/",
    shows: "Start from a template or record",
    act: async (page) => {
      await press("Other ways to begin a draft")(page);
      await page.getByRole("menuitem", { name: "Start from a template or record" }).click();
      await expect(page.getByRole("dialog", { name: "Start from a template or record" })).toBeVisible();
    },
  },
  { name: "library-search", path: "/?view=published&q=protocol+chloroplasts", shows: "the protocol" },
  {
    name: "library-help",
    path: "/?q=sea",
    shows: "Press an example to try it.",
    act: press("How to search"),
  },
  {
    name: "library-save",
    path: "/?q=sea&publication_date=2021..2023",
    shows: "Name",
    act: press("Save this search"),
  },
  { name: "library-server", path: "/?view=published&q=sea&scope=server", shows: /no more results/ },
  {
    name: "library-refused",
    path: "/?q=sea+created%3Afoo",
    shows: "“foo” is not a valid value for the field “created”",
    act: async (page) => {
      await expect(page.getByRole("searchbox", { name: /^Search/ })).toHaveValue("sea created:foo");
      await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
      await expect(page.getByRole("main").getByRole("button", { name: "How to search" })).toHaveCount(2);
    },
  },
  {
    name: "library-select",
    path: "/",
    shows: "2 selected",
    act: async (page) => {
      await page.getByRole("link", { name: /^Interview/ }).focus();
      await page.keyboard.press("x");
      await page.getByRole("checkbox", { name: "Select Things to look at" }).press("Space");
      await expect(page.getByRole("button", { name: "Discard 1 draft" })).toBeEnabled();
    },
  },
  {
    name: "library-drag",
    path: "/",
    shows: /^Drop to start a draft/,
    act: async (page) => {
      await page.getByRole("list", { name: "Records" }).waitFor();
      const dataTransfer = await page.evaluateHandle(`(() => {
        const dragged = new DataTransfer();
        dragged.setData("text/uri-list", "https://doi.org/10.1234/abc");
        return dragged;
      })()`);
      await page.dispatchEvent("main", "dragover", { dataTransfer });
    },
  },
  { name: "library-nothing", path: "/?q=zzzz", shows: "Nothing matches" },
  { name: "library-unknown-field", path: "/?q=titel:sae", shows: "Did you mean metadata.title?" },
  { name: "library-published", path: "/?view=published", shows: sampleTitles[0] ?? "" },
  {
    name: "library-look",
    path: "/?view=published&q=look",
    shows: "NOTES.md",
    act: async (page) => {
      await page.getByRole("link", { name: /look/ }).first().focus();
      await page.keyboard.press("Space");
      await press(/NOTES.md/)(page);
    },
  },
  { name: "library-troubled", path: "/", shows: "Needs you", on: "troubled" },
];
