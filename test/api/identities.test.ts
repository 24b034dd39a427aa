import { describe, expect, test } from "vitest";
import { transaction } from "../../shared/database/open.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { accountServices } from "../support/account-services.ts";
import { type Api, startApi } from "../support/api.ts";
import { openMailbox } from "../support/mailbox.ts";
import { until } from "../support/until.ts";

const provider = (id: string) => ({ id, label: id, issuer: `https://${id}.example.org`, client_id: "carrel" });
const signIn = settingsSchema.shape.sign_in.parse({ providers: [provider("uni"), provider("lab")] });

async function link(api: Api, name: string, id: string, subject: string): Promise<void> {
  const { identities } = accountServices(api);
  const userId = await api.idOf(name);
  const identity = { issuer: `https://${id}.example.org`, subject, label: `${subject}@${id}` };
  await transaction(api.server.host.db, (tx) => identities.add(tx, anonymous, userId, identity));
}

describe("accounts at identity providers (web 9)", () => {
  test("are listed and removed by their user alone; the last way to sign in stays", async () => {
    const api = await startApi("server", { settings: { sign_in: signIn } });
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    for (const id of ["uni", "lab"]) await link(api, "ada", id, "a1");
    const { body } = await ada.get("/api/user/identities");
    expect(body.hits.hits).toMatchObject([
      { label: "a1@uni", subject: "a1", provider: { id: "uni", kind: "oidc" }, may_remove: true },
      { label: "a1@lab", provider: { id: "lab", label: "lab" }, may_remove: true },
    ]);
    const [uni, lab] = body.hits.hits;
    expect((await bob.get("/api/user/identities")).body.hits.total).toBe(0);
    expect((await bob.delete(`/api/user/identities/${uni.id}`)).status).toBe(404);
    expect((await ada.delete(`/api/user/identities/${uni.id}`)).status).toBe(204);
    expect((await ada.delete(`/api/user/identities/${uni.id}`)).status).toBe(404);
    const kept = await ada.delete(`/api/user/identities/${lab.id}`);
    expect([kept.status, kept.body.message]).toEqual([400, expect.stringContaining("only way to sign in")]);
    await api.server.services.signIn.resetPassword(await api.idOf("ada"), "a horse of many stables");
    expect((await ada.delete(`/api/user/identities/${lab.id}`)).status).toBe(204);
  });

  test("one of a provider that the operator removed is no way to sign in", async () => {
    const api = await startApi("server", { settings: { sign_in: signIn } });
    const ada = await api.as("ada");
    for (const id of ["uni", "gone"]) await link(api, "ada", id, "a1");
    const [uni, gone] = (await ada.get("/api/user/identities")).body.hits.hits;
    expect(gone).toMatchObject({ provider: null, may_remove: true });
    expect((await ada.delete(`/api/user/identities/${uni.id}`)).status).toBe(400);
    expect((await ada.delete(`/api/user/identities/${gone.id}`)).status).toBe(204);
  });

  test("one belongs to one user; a mail and the audit log tell of a new one, the log without its subject", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { sign_in: signIn, smtp: box.smtp } });
    await link(api, "ada", "uni", "a1");
    await link(api, "ada", "uni", "a1");
    await expect(link(api, "bob", "uni", "a1")).rejects.toMatchObject({ kind: "conflict" });
    api.server.host.announceCommit();
    const [mail] = await box.first(1);
    expect(mail).toMatchObject({
      to: "ada@example.org",
      subject: expect.stringMatching(/^A way to sign in to .* was added$/),
      text: expect.stringContaining("a1@uni can now sign in"),
    });
    const log = await (await api.as("admin")).get("/api/audit-logs?action=user.add-identity");
    expect(log.body.hits.total).toBe(1);
    expect(log.body.hits.hits[0].metadata.details).toEqual({ issuer: "https://uni.example.org" });
  });

  test("a mail tells the user of one that was removed", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { sign_in: signIn, smtp: box.smtp } });
    const ada = await api.as("ada");
    for (const id of ["uni", "lab"]) await link(api, "ada", id, "a1");
    const [uni] = (await ada.get("/api/user/identities")).body.hits.hits;
    expect((await ada.delete(`/api/user/identities/${uni.id}`)).status).toBe(204);
    await until(() => box.mails.length === 3, "three mails");
    const removed = box.mails.find(({ subject }) => subject.includes("removed"));
    expect(removed).toMatchObject({
      to: "ada@example.org",
      subject: expect.stringMatching(/^A way to sign in to .* was removed$/),
      text: expect.stringContaining("a1@uni cannot sign in to your account"),
    });
    expect(removed?.text).toContain(`${api.server.url}/account`);
  });

  test("settings: mistakes in a provider are refused", () => {
    const check = (change: object) => signInOutcome({ ...provider("uni"), ...change });
    expect(check({})).toBe(true);
    expect(check({ issuer: "http://127.0.0.1:9000", client_secret: { environment: "SECRET" } })).toBe(true);
    for (const change of [
      { issuer: "http://id.example.org" },
      { issuer: "http://127.0.0.1.evil.example" },
      { id: "link" },
      { id: "Uni" },
      { client_secret: "plain" },
      { scope: "email" },
    ]) {
      expect(check(change)).toBe(false);
    }
    const twice = { providers: [provider("uni"), provider("uni")] };
    expect(settingsSchema.shape.sign_in.safeParse(twice).success).toBe(false);
  });
});

const signInOutcome = (one: object): boolean => settingsSchema.shape.sign_in.safeParse({ providers: [one] }).success;
