import { expect, test } from "@playwright/test";
import { connectReplica } from "../../main/sync/connect.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { addFile } from "../support/files.ts";
import { givenDraftThere } from "../support/invenio-desk.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePictures } from "./picture.ts";

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
    await expect(page.getByText("Drafting, files and comments work offline.")).toBeVisible();
    await page.goto(`${replica.url}/settings/profile`);
    await expect(page.getByText("Zenodo keeps your profile.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add a picture" })).toHaveCount(0);
  });

  await test.step("a limit of the site is visible, with the time when it goes on", async () => {
    fake.site.switches.fault("too-many", "GET", /user\/records$/);
    await page.request.post(`${replica.url}/api/sync/run`, {
      headers: { authorization: `Bearer ${replica.guard.secret}` },
    });
    await expect(page.getByRole("button", { name: /^Zenodo asks us to slow down; goes on at \d/ })).toBeVisible();
  });
  expect(faults).toEqual([]);
  await desk.close();
  await fake.stop();
});

test("what Zenodo cannot do is hidden; what needs the network says so (upstreams 5.2, issue 20.8; issue 20, step 6)", async ({
  browser,
}) => {
  const fake = await startFakeInvenio({ profile: "zenodo" });
  const [ada, grace] = [fake.person("ada"), fake.person("grace")];
  await grace.client.post("/api/communities", {
    slug: "tides",
    metadata: { title: "Tides and Shores" },
    access: { visibility: "public" },
  });
  const draft = await givenDraftThere(ada.client, "Tide gauges of 2025");
  await addFile(ada.client, draft, "tides.csv", "hour,height");
  const desk = await Desk.open();
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica, { isNew: true });
  await connectReplica(replica.host.db, replica.engine, fake.url, ada.token);
  const photograph = async (name: string) => {
    await takePictures(page, `upstream-${name}`);
  };
  const setPaused = (isPaused: boolean) =>
    page.request.post(`${replica.url}/api/sync/${isPaused ? "pause" : "resume"}`, {
      headers: { authorization: `Bearer ${replica.guard.secret}` },
    });
  const title = page.getByRole("heading", { level: 1, name: "Tide gauges of 2025" });

  await test.step("a value that Zenodo does not take is named at its field, and stays here (issue 20, Show)", async () => {
    await page.goto(`${replica.url}/uploads/${draft}`);
    const field = page.getByRole("textbox", { name: "Version" });
    fake.site.switches.ownRules.set("version", "Use a number.");
    await field.fill("second");
    const words = "Zenodo did not take this: Use a number. Kept on this computer.";
    await expect(page.locator("#section-about").getByText(words)).toBeVisible({ timeout: 20_000 });
    await page.locator("#section-about").getByText(words).scrollIntoViewIfNeeded();
    await photograph("refused-field");
    await page.getByRole("button", { name: "Needs you (1)" }).click();
    await expect(page.getByText("Zenodo did not take 1 value.")).toBeVisible();
    await photograph("refused-panel");
    await page.keyboard.press("Escape");
    fake.site.switches.ownRules.clear();
    await field.fill("2");
    await expect(page.getByText(words)).toHaveCount(0, { timeout: 20_000 });
    await expect(page.getByRole("button", { name: /^On Zenodo, as of/ })).toBeVisible();
  });

  await test.step("files are not renamed or moved, and say so by offering neither", async () => {
    await page.goto(`${replica.url}/uploads/${draft}`);
    const row = page.getByRole("row", { name: /tides\.csv/ });
    // The page opens where it was; rows out of sight are not drawn.
    await page.locator("#section-files").scrollIntoViewIfNeeded();
    await row.getByRole("button", { name: "More for tides.csv" }).click();
    await expect(page.getByRole("menuitem", { name: "Remove" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Rename" })).toHaveCount(0);
    await expect(page.getByRole("menuitem", { name: /^Move/ })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await row.focus();
    await page.keyboard.press("F2");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("sharing offers people and links, and no requests for access", async () => {
    await page.goto(`${replica.url}/uploads/${draft}`);
    await expect(title).toBeVisible();
    await page.getByRole("button", { name: "More for this draft" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share" });
    await expect(dialog.getByRole("tab")).toHaveText(["People", "Links"]);
    await dialog.getByRole("tab", { name: "Links" }).click();
    await dialog.getByRole("button", { name: "New link" }).click();
    await expect(dialog.getByRole("button", { name: "Copy link" })).toBeVisible();
    await photograph("share");
    await setPaused(true);
    await expect(dialog.getByText("Zenodo makes the links and stores who has access")).toBeVisible();
    await expect(dialog.getByRole("tab")).toHaveCount(0);
    await photograph("share-offline");
    await dialog.getByRole("button", { name: "Done" }).click();
  });

  await test.step("publishing offline says that it is pressed once more", async () => {
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("press Publish once more")).toBeVisible();
    await expect(dialog.getByText("Zenodo assigns it with the publication")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Prepare to publish" })).toBeEnabled();
    await photograph("publish-offline");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  await test.step("a draft is submitted to a community, with the reason while it cannot be", async () => {
    await page.getByRole("button", { name: "Submit to a community" }).click();
    const dialog = page.getByRole("dialog", { name: "Submit to a community" });
    await dialog.getByRole("textbox", { name: "Community" }).fill(`${fake.url}/communities/tides/`);
    await expect(dialog.getByText("Zenodo decides this at once")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Submit to a community" })).toBeDisabled();
    await photograph("community-offline");
    await setPaused(false);
    await dialog.getByRole("button", { name: "Submit to a community" }).click();
    await page.waitForURL(/\/me\/requests\//);
  });

  await test.step("the request names the community, takes comments, and has no files and no lock", async () => {
    await expect(page.getByText("submits this to Tides and Shores").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel the submission" })).toBeEnabled();
    await expect(page.getByRole("button", { name: /Attach/ })).toHaveCount(0);
    await photograph("request");
    await setPaused(true);
    await expect(page.getByRole("button", { name: "Cancel the submission" })).toBeDisabled();
    await expect(page.getByText("Zenodo decides this at once")).toBeVisible();
    await photograph("request-offline");
    await setPaused(false);
  });
  await test.step("a publication without an answer says so everywhere, and offers no second one (issue 20, Show)", async () => {
    const unsure = await givenDraftThere(ada.client, "Storm surges");
    await addFile(ada.client, unsure, "surges.csv", "hour,height");
    await replica.engine.refresh();
    await page.goto(`${replica.url}/uploads/${unsure}`);
    fake.site.switches.fault("lost-before", "POST", /actions\/publish$/);
    const headers = { authorization: `Bearer ${replica.guard.secret}` };
    // Answered after half a minute, or when the app ends.
    void page.request
      .post(`${replica.url}/api/records/${unsure}/draft/actions/publish`, { headers })
      .catch(() => undefined);
    await expect(page.getByRole("button", { name: "Zenodo did not say whether it published" })).toBeVisible();
    await expect(page.getByText("Carrel is looking; do not publish it there meanwhile.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Publish", exact: true })).toBeDisabled();
    await photograph("unsure");
    await page.getByRole("button", { name: "Zenodo did not say whether it published" }).click();
    const panel = page.getByRole("dialog");
    await expect(panel.getByRole("link", { name: "Storm surges", exact: true })).toBeVisible();
    await expect(panel.getByRole("button", { name: "Withdraw" })).toHaveCount(0);
    await photograph("unsure-panel");
  });
  expect(faults).toEqual([]);
  await desk.close();
  await fake.stop();
});
