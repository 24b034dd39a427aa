import { expect, test } from "@playwright/test";
import { givenDraft, publish, withoutFiles } from "../support/records.ts";
import { Desk } from "./desk.ts";
import { openSeat } from "./seats.ts";

test("who owned a record that was deleted without a page reads what happened, from the notification on (issue 17: moderation)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const karin = await desk.person("karin", "Karin Lindqvist");
  const id = await givenDraft(karin.server, withoutFiles);
  await publish(karin.server, id);
  await boss.server.delete(`/api/records/${id}/delete`, { is_visible: false });
  const { page } = await openSeat(browser, desk, karin, "server", "/activity");
  await page.getByRole("link", { name: /Bo Ng deleted your record/ }).click();
  await expect(page.getByText(/Bo Ng deleted it on .* Ask an administrator for the reason/)).toBeVisible();
  await desk.close();
});
