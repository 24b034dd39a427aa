import { expect, test } from "vitest";
import { transaction } from "../../shared/database/open.ts";
import { system } from "../../shared/kernel/caller.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { accountServices } from "../support/account-services.ts";
import { startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { openMailbox } from "../support/mailbox.ts";
import { linkIn, password } from "../support/provider-site.ts";

test("a link that was sent to a former address or before a deactivation has ended, even while it is in use (issue 15)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  await api.server.services.signIn.resetPassword(await api.idOf("ada"), password);
  const { db, services, id } = { ...api.server.host, ...api.server, id: await api.idOf("ada") };
  const browser = new FormBrowser(api.server.url);
  const requestLink = async (email: string, count: number) => {
    await browser.send("/forgot-password", { email });
    const path = linkIn((await box.first(count)).at(-1)?.text);
    expect((await browser.open(path)).status).toBe(200);
    return path;
  };
  const isOver = async (path: string) => {
    expect((await browser.open(path)).status).toBe(404);
    expect((await browser.send(path, { password: "a thief's long horse" })).status).toBe(404);
  };
  const old = await requestLink("ada@example.org", 1);
  await db.updateTable("user").set({ email: "Ada@new.example" }).where("id", "=", id).execute();
  await isOver(old);

  const before = await requestLink("ada@new.example", 2);
  await services.users.deactivate(id);
  expect((await (await api.as("admin")).post(`/api/administration/people/${id}/actions/activate`)).status).toBeLessThan(
    300,
  );
  await isOver(before);

  const used = await requestLink("ada@new.example", 3);
  const use = accountServices(api).accountLinks.use("reset", used.split("/").at(-1) ?? "", async (_link, end) => {
    await services.signIn.resetPassword(id, "the choice of the owner");
    await transaction(db, end);
  });
  await expect(use).rejects.toMatchObject({ status: 404 });
  await isOver(used);
});

test("of four concurrent uses of a link one succeeds; a link withdrawn during its use has ended (issue 15)", async () => {
  const api = await startApi();
  const admin = await api.as("admin");
  const { body } = await admin.post("/api/invitations", { email: "karin@example.org" });
  const sent = Array.from({ length: 4 }, (_, n) =>
    new FormBrowser(api.server.url).send(linkIn(body.link), { username: `karin${n}`, full_name: "", password }),
  );
  const answers = (await Promise.all(sent)).map(({ status }) => status);
  expect(answers.sort()).toEqual([303, 404, 404, 404]);

  const second = (await admin.post("/api/invitations", { email: "lena@example.org" })).body;
  const path = linkIn(second.link);
  const { accountLinks, invitations } = accountServices(api);
  const use = accountLinks.use("invitation", path.split("/").at(-1) ?? "", async () => {
    await invitations.withdraw(system, second.id);
    throw new Error("the name is in use");
  });
  await expect(use).rejects.toThrow("the name is in use");
  expect((await new FormBrowser(api.server.url).open(path)).status).toBe(404);
});

test("the second press of a button is told that the first one worked; with other values the link has ended (issue 17)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const admin = await api.as("admin");
  await admin.post("/api/invitations", { email: "karin@example.org" });
  const path = linkIn((await box.first(1))[0]?.text);
  const browser = new FormBrowser(api.server.url);
  const karin = { username: "karin", full_name: "", password };
  const answers = await Promise.all([browser.send(path, karin), browser.send(path, karin)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await browser.open("/account")).text).toContain("karin@example.org");
  const again = await browser.open(path);
  expect([again.status, again.text]).toEqual([404, expect.stringContaining("You are signed in already.")]);
  const other = new FormBrowser(api.server.url);
  for (const sent of [
    { ...karin, password: "a thief's long horse" },
    { ...karin, username: "thief" },
  ])
    expect((await other.send(path, sent)).text).toContain("This link has ended");

  await other.send("/forgot-password", { email: "karin@example.org" });
  const mails = await box.first(2);
  const reset = linkIn(mails.at(-1)?.text);
  const chosen = { password: "another long horse" };
  const both = await Promise.all([other.send(reset, chosen), other.send(reset, chosen)]);
  expect(both.map(({ text }) => text.includes("Your password was changed"))).toEqual([true, true]);
  expect((await other.send(reset, { password: "a thief's long horse" })).status).toBe(404);
  const { db } = api.server.host;
  await db
    .updateTable("account_link")
    .set({ ended_at: api.server.host.now() - 61_000_000 })
    .execute();
  expect((await other.send(reset, chosen)).status).toBe(404);
  expect((await new FormBrowser(api.server.url).send(path, { ...karin, ...chosen })).status).toBe(404);
});

test("an invited administrator who needs a second factor is led to where it is set up (issue 17)", async () => {
  const sign_in = settingsSchema.shape.sign_in.parse({ second_factor: "administrators" });
  const api = await startApi("server", { settings: { sign_in } });
  const { accountLinks, invitations } = accountServices(api);
  const sent = await invitations.invite(system, { email: "karin@example.org", roles: ["admin"] });
  const browser = new FormBrowser(api.server.url);
  const path = linkIn(accountLinks.addressOf(sent, api.server.url));
  const entered = await browser.send(path, { username: "karin", full_name: "", password });
  expect(entered.headers.get("location")).toBe("/account");
  expect((await browser.open("/account")).text).toContain("Your administrative rights wait");
});

test("open invitations of an administrator end when they are deactivated or lose the role, and the audit log says so (issue 15)", async () => {
  const api = await startApi();
  const admin = await api.as("admin");
  const { users, memberships } = api.server.services;
  async function givenInviter(name: string) {
    const caller = await api.as(name);
    const userId = await api.idOf(name);
    const body = { groups: ["admin", "administration-moderation"] };
    await memberships.change(system, { userId, how: "add", body });
    const sent = await caller.post("/api/invitations", { email: `by-${name}@example.org`, roles: ["admin"] });
    expect(sent.status).toBe(201);
    return { userId, invitation: sent.body as { id: string; link: string } };
  }
  const statusOf = async ({ link }: { link: string }) =>
    (await new FormBrowser(api.server.url).open(linkIn(link))).status;
  const [ada, bob] = [await givenInviter("ada"), await givenInviter("bob")];
  const kept = (await admin.post("/api/invitations", { email: "kept@example.org" })).body;
  await memberships.change(system, {
    userId: bob.userId,
    how: "remove",
    body: { groups: ["administration-moderation"] },
  });
  expect(await statusOf(bob.invitation)).toBe(200);

  await users.deactivate(ada.userId);
  await memberships.change(system, { userId: bob.userId, how: "remove", body: { groups: ["admin"] } });
  for (const { invitation } of [ada, bob]) expect(await statusOf(invitation)).toBe(404);
  expect(await statusOf(kept)).toBe(200);
  const { body } = await admin.get("/api/invitations");
  expect(body.hits.hits.map(({ email }: { email: string }) => email)).toEqual(["kept@example.org"]);
  const log = (await admin.get("/api/audit-logs?size=100")).body.hits.hits;
  const ended = log.filter(({ action }: { action: string }) => action === "user.withdraw-invitation");
  const recorded = ended.map(({ resource, metadata }: { resource: { id: string }; metadata: { details: unknown } }) => [
    resource.id,
    metadata.details,
  ]);
  expect(recorded).toEqual([
    [bob.invitation.id, { invited_by: bob.userId }],
    [ada.invitation.id, { invited_by: ada.userId }],
  ]);
});

test("an invitation into a group that is deleted stays valid, and gives no new group of that name (web 9)", async () => {
  const api = await startApi();
  const admin = await api.as("admin");
  for (const name of ["passing", "lasting"]) await admin.post("/api/groups", { name });
  const roles = ["passing", "lasting"];
  const { body } = await admin.post("/api/invitations", { email: "mona@example.org", roles });
  await admin.delete("/api/groups/passing");
  const { hits } = (await admin.get("/api/invitations")).body;
  expect(hits.hits.map((one: { roles: string[] }) => one.roles)).toEqual([["lasting"]]);
  await admin.post("/api/groups", { name: "passing" });
  const browser = new FormBrowser(api.server.url);
  const { status } = await browser.send(linkIn(body.link), { username: "mona", full_name: "", password });
  expect(status).toBe(303);
  const joined = api.server.host.db.selectFrom("user").innerJoin("membership", "membership.user_id", "user.id");
  const groups = await joined.select("group_name").where("username", "=", "mona").execute();
  expect(groups).toEqual([{ group_name: "lasting" }]);
});

test("an invitation ends when its address gets an account by another way (issue 17: invited while already a member)", async () => {
  const api = await startApi();
  const admin = await api.as("admin");
  const { body } = await admin.post("/api/invitations", { email: "mona@example.org", roles: [] });
  await api.server.services.users.create(newUser.parse({ username: "mona", email: "Mona@example.org" }));
  expect((await admin.get("/api/invitations")).body.hits.total).toBe(0);
  const { attention } = (await admin.get("/api/administration/overview")).body;
  expect(attention.map(({ kind }: { kind: string }) => kind)).not.toContain("invitations_open");
  expect((await new FormBrowser(api.server.url).open(linkIn(body.link))).status).toBe(404);
});
