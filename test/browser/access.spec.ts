import { expect, test } from "@playwright/test";
import { linkToken } from "../../shared/accounts/link-secret.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { addFile } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { givenDraft, publish } from "../support/records.ts";
import { Desk, openWindow } from "./desk.ts";
import { keepMessages } from "./keep-messages.ts";
import { takePicture } from "./picture.ts";
import { openSeat } from "./seats.ts";

const content = {
  access: { record: "public", files: "restricted" },
  metadata: {
    title: "Wage slips of the harbour, 1921",
    resource_type: { id: "dataset" },
    publication_date: "2026-11-24",
    creators: [{ person_or_org: { type: "personal", family_name: "Lindqvist", given_name: "Karin" } }],
  },
};

test("a user asks for restricted files; the owner gives access; the file opens (issue 18, interoperability 14)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const { id } = (await karin.server.post("/api/records", content)).body;
  const files = `/api/records/${id}/draft/files`;
  await karin.server.post(files, [{ key: "slips.txt" }]);
  await karin.server.putBytes(`${files}/slips.txt/content`, "12 kronor");
  await karin.server.post(`${files}/slips.txt/commit`);
  expect((await karin.server.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
  const [karins, paolos] = [await desk.replica(karin), await desk.replica(paolo)];
  const [one, two] = [await openWindow(browser, karins), await openWindow(browser, paolos)];

  await test.step("the files are said to be restricted, whether the owner takes requests or not (issue 17)", async () => {
    await two.page.goto(`${paolos.url}/records/${id}`);
    await expect(two.page.getByText("The files are restricted.")).toBeVisible();
    await expect(two.page.getByText("Permission denied")).toHaveCount(0);
    await expect(two.page.getByRole("button", { name: "Ask for access" })).toHaveCount(0);
  });

  await test.step("the owner takes requests", async () => {
    await one.page.goto(`${karins.url}/records/${id}`);
    await one.page.getByRole("button", { name: "Share" }).first().click();
    await one.page.getByRole("tab", { name: "Requests" }).click();
    await one.page.getByText("People with an account can ask").click();
    await one.page.getByRole("textbox", { name: "Conditions" }).fill("Cite the archive.");
    await keepMessages(one.page);
    await one.page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(one.page.getByText("Saved.")).toBeVisible();
  });

  await test.step("another user asks", async () => {
    await two.page.goto(`${paolos.url}/records/${id}`);
    await two.page.getByRole("button", { name: "Ask for access" }).click();
    await expect(two.page.getByText("Cite the archive.")).toBeVisible();
    await two.page.getByRole("textbox", { name: "Message to the owner" }).fill("For a thesis on wages.");
    await takePicture(two.page, "ask-access-light");
    await two.page.getByRole("button", { name: "Send the request" }).click();
    await expect(two.page.getByText("Paolo Marchetti asked Karin Lindqvist for access to the files")).toBeVisible();
    await expect(two.page.getByRole("button", { name: "Withdraw the request" })).toBeVisible();
  });

  await test.step("the owner reads it in the list of requests, and gives access", async () => {
    await one.page.goto(`${karins.url}/me/requests`);
    await one.page.getByRole("link", { name: /Wage slips/ }).click();
    await expect(one.page.getByText("For a thesis on wages.")).toBeVisible();
    await expect(one.page.getByText("Waiting for the owner")).toBeVisible();
    await expect(one.page.getByText("In review")).toHaveCount(0);
    await expect(one.page.getByRole("link", { name: "Changes" })).toHaveCount(0);
    await expect(one.page.getByRole("tab")).toHaveText(["Conversation", "Record", "Files"]);
    await one.page.emulateMedia({ colorScheme: "dark" });
    await takePicture(one.page, "request-access-dark");
    await one.page.getByRole("button", { name: "Give access" }).click();
    await one.page.getByRole("dialog").getByRole("button", { name: "Give access" }).click();
    await expect(one.page.getByText("Paolo Marchetti").first()).toBeVisible();
    await expect(one.page.getByText("Accepted").first()).toBeVisible();
  });

  await two.page.goto(`${paolos.url}/records/${id}`);
  await expect(two.page.getByText("slips.txt").first()).toBeVisible();

  await test.step("nobody is asked whose account is closed (issue 17)", async () => {
    const vera = await desk.person("vera", "Vera Lindqvist");
    const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
    const veras = await desk.replica(vera);
    const three = await openWindow(browser, veras, { path: `/records/${id}` });
    await expect(three.page.getByRole("button", { name: "Ask for access" })).toBeVisible();
    expect((await boss.server.post(`/api/administration/people/${karin.id}/actions/deactivate`)).status).toBe(200);
    await three.page.reload();
    await expect(three.page.getByText("The account of the owner is closed")).toBeVisible();
    await expect(three.page.getByRole("button", { name: "Ask for access" })).toHaveCount(0);
    expect(three.faults).toEqual([]);
  });
  await desk.close();
});

test("the owner reads who a guest is, by name and address (issue 18, interoperability 14)", async ({ browser }) => {
  const desk = await Desk.open({ smtp: { url: "smtp://127.0.0.1:9", from: "carrel@example.org" } });
  const { url, host } = desk.server;
  const karin = await desk.person("karin", "Karin Lindqvist");
  const id = await givenDraft(karin.server, content);
  await addFile(karin.server, id, "slips.txt", "secret");
  await publish(karin.server, id);
  await karin.server.put(`/api/records/${id}/access`, { allow_guest_requests: true });
  const consent_to_share_personal_data = "true";
  const guest = { email: "greta@guest.example", full_name: "Greta Guest", consent_to_share_personal_data };
  await new HttpClient(url).post(`/api/records/${id}/access/request`, guest);
  const [asked] = await host.db.selectFrom("access_confirmation").select("id").execute();
  const token = linkToken(folderSecret(desk.dataDir), asked?.id ?? "");
  await new FormBrowser(url).send(`/access-requests/${token}`, { action: "confirm" });
  const { page, context } = await openSeat(browser, desk, karin, "server", "/me/requests");
  await expect(page.getByText(/opened by Greta Guest/)).toBeVisible();
  await page.getByRole("link", { name: /Wage slips/ }).click();
  await expect(page.getByText("Greta Guest asked Karin Lindqvist for access to the files")).toBeVisible();
  await expect(page.getByText("greta@guest.example", { exact: true })).toBeVisible();
  await context.close();
  await desk.close();
});
