import { expect, test } from "@playwright/test";
import { complete } from "../support/fake-invenio/complete.ts";
import { startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { Desk, openWindow } from "./desk.ts";

test("connecting to Zenodo by a pasted token: the words for it, the pill, and a limit (upstreams 5.2, issue 20.8)", async ({
  browser,
}) => {
  const fake = await startFakeInvenio({ profile: "zenodo" });
  const ada = fake.person("ada");
  await ada.client.post("/api/records", complete);
  const desk = await Desk.open();
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica, { isNew: true });
  const connect = page.getByRole("button", { name: "Connect and open library" });

  await test.step("the choice of a server names the kinds; the token page is one press away", async () => {
    await page.goto(`${replica.url}/welcome`);
    await page.getByText("Connect to a team server").click();
    await expect(page.getByText("your university’s InvenioRDM, or Zenodo")).toBeVisible();
    await page.getByRole("textbox", { name: "Server address" }).fill(fake.url);
    await page.getByText("Access token", { exact: true }).first().click();
    await expect(page.getByRole("link", { name: "Create a token there" })).toHaveAttribute(
      "href",
      `${fake.url}/account/settings/applications/tokens/new/`,
    );
  });

  await test.step("the pill says of when the site is", async () => {
    await page.getByLabel("Access token").last().fill(ada.token);
    await connect.click();
    await page.waitForURL(`${replica.url}/me/uploads`);
    await expect(page.getByRole("button", { name: /^On Zenodo, as of \d/ })).toBeVisible();
    await expect(page.getByText(complete.metadata.title).first()).toBeVisible();
  });

  await test.step("the settings say what works where", async () => {
    await page.goto(`${replica.url}/settings/server`);
    await expect(page.getByText("This is Zenodo.")).toBeVisible();
    await expect(page.getByText("Drafts and files work offline.")).toBeVisible();
  });

  await test.step("a limit of the site is visible, with the time when it goes on", async () => {
    fake.site.switches.fault("too-many", "GET", /user\/records$/);
    await page.request.post(`${replica.url}/api/sync/run`, {
      headers: { authorization: `Bearer ${replica.door.secret}` },
    });
    await expect(page.getByRole("button", { name: /^Zenodo asks us to slow down; goes on at \d/ })).toBeVisible();
  });
  expect(faults).toEqual([]);
  await desk.close();
  await fake.stop();
});
