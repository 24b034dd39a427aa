import { HttpClient } from "../support/http-client.ts";
import { comment } from "./reviewing.ts";
import type { Scene } from "./scene.ts";
import { press, type Screen } from "./screen.ts";

/** A comment of the reviewer on a field and one on a file, the second one settled. */
async function givenPlaceComments({ troubled, request }: Scene): Promise<void> {
  const his = new HttpClient(troubled.url, troubled.guard.secret);
  const path = `/api/requests/${request}/comments`;
  const addComment = async (about: object, content: string) =>
    (await his.post(path, { about, payload: { content: `<p>${content}</p>`, format: "html" } })).body.id;
  await addComment({ field: "metadata.languages" }, "Is <b>Italian</b> missing here?");
  const settled = await addComment({ field: "metadata.languages" }, "One station log is Croatian.");
  await his.post(`${path}/${settled}/resolve`);
}

/** What a reviewer writes and where. */
export const reviewScreens: Screen[] = [
  {
    name: "request-place",
    path: ({ request }) => `/me/requests/${request}?tab=record`,
    shows: "1 resolved comment",
    on: "troubled",
    act: async (page, scene) => {
      await givenPlaceComments(scene);
      await press("Comment on Licences")(page);
      await page.getByRole("textbox", { name: "Your comment on Licences" }).fill("Does this cover the raw counts too?");
    },
  },
  {
    name: "request-mention",
    path: ({ request }) => `/me/requests/${request}`,
    shows: /^Karin Lindqvist$/,
    on: "troubled",
    act: async (page) => {
      await comment(page).click();
      await page.keyboard.type("Thank you, @kar");
    },
  },
];
