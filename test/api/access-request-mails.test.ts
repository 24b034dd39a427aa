import { expect, test } from "vitest";
import { guestMailService } from "../../server/access-requests/guest-mail.service.ts";
import { dayInWords } from "../../server/pages/words.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { type Api, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { addFile, givenDraft } from "../support/files.ts";
import { openMailbox } from "../support/mailbox.ts";
import { publish } from "../support/records.ts";
import { password } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const guest = { email: "g@elsewhere.example", full_name: "G", message: "", consent_to_share_personal_data: "true" };

/** A record of alice's with public metadata and a restricted file, for which anybody may ask. */
async function givenClosed(api: Api): Promise<string> {
  const alice = await api.as("alice");
  const id = await givenDraft(alice, { access: { record: "public", files: "restricted" } });
  await addFile(alice, id, "data.txt", "secret bytes");
  await alice.post(`/api/records/${id}/draft/actions/publish`);
  const taken = { allow_user_requests: true, allow_guest_requests: true };
  expect((await alice.put(`/api/records/${id}/access`, taken)).status).toBe(200);
  return id;
}

test("a user who asks and takes back does not flood the owner with mail (issue 15)", async () => {
  const api = await startApi();
  const bob = await api.as("bob");
  const ask = (id: string) => bob.post(`/api/records/${id}/access/request`, { message: "Please" });
  const askThreeTimes = async (id: string) => {
    for (let n = 0; n < 3; n += 1) {
      const asked = await ask(id);
      expect(asked.status).toBe(200);
      expect((await bob.post(`/api/requests/${asked.body.id}/actions/cancel`)).status).toBe(200);
    }
  };
  const id = await givenClosed(api);
  await askThreeTimes(id);
  const refused = await ask(id);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
  for (let n = 0; n < 5; n += 1) await askThreeTimes(await givenClosed(api));
  const last = await givenClosed(api);
  expect([(await ask(last)).status, (await ask(last)).status]).toEqual([200, 400]);
  const another = await givenClosed(api);
  expect([(await ask(another)).status, (await ask(await givenClosed(api))).status]).toEqual([200, 429]);
  await api.server.host.db.updateTable("request").set({ created: 1 }).execute();
  expect((await ask(id)).status).toBe(200);
});

test("a mail that is sent late tells no title that is not public any more (issue 15)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const alice = await api.as("alice");
  const id = await givenClosed(api);
  expect((await api.anonymous.post(`/api/records/${id}/access/request`, guest)).status).toBe(200);
  const { host, services } = api.server;
  const { questions } = services.accessRequests;
  const compose = guestMailService({ host, questions, secret: folderSecret(api.dataDir) });
  const { id: confirmationId } = await host.db.selectFrom("access_confirmation").select("id").executeTakeFirstOrThrow();
  const order = { guest: "confirm", confirmationId } as const;
  const { metadata, ...draft } = (await alice.post(`/api/records/${id}/draft`)).body;
  expect((await compose("1", order))?.subject).toContain(metadata.title);
  await alice.put(`/api/records/${id}/draft`, {
    ...draft,
    metadata: { ...metadata, title: "A secret title" },
    access: { record: "restricted", files: "restricted" },
  });
  expect((await alice.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
  expect(await compose("1", order)).toBeUndefined();
});

test("a form that is sent twice at once sends one mail; later the guest may ask again (issue 17)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const form = `/records/${await givenClosed(api)}/access-request`;
  const visitor = new FormBrowser(api.server.url);
  const answers = await Promise.all([visitor.send(form, guest), visitor.send(form, guest)]);
  expect(answers.map(({ status, text }) => [status, text.includes("Confirm your address")])).toEqual([
    [200, true],
    [200, true],
  ]);
  const { db } = api.server.host;
  const questions = () => db.selectFrom("access_confirmation").select(["id", "created"]).execute();
  const [question, ...more] = await questions();
  expect(more).toEqual([]);
  const earlier = (question?.created ?? 0) - 61_000_000;
  await db.updateTable("access_confirmation").set({ created: earlier }).execute();
  await visitor.send(form, guest);
  await visitor.send(form, { ...guest, message: "Please, again." });
  expect(await questions()).toHaveLength(3);
});

test("nobody is asked whose account is closed; the page says so before anything is typed (issue 18, interoperability 14)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const id = await givenClosed(api);
  const [bob, visitor] = [await api.as("bob"), new FormBrowser(api.server.url)];
  await visitor.send(`/records/${id}/access-request`, guest);
  const path = /\/access-requests\/\S+/.exec((await box.first(1))[0]?.text ?? "")?.[0] ?? "";
  const close = `/api/administration/people/${await api.idOf("alice")}/actions/deactivate`;
  expect((await (await api.as("admin")).post(close)).status).toBe(200);
  const closedAccount = "The account of the owner is closed";
  expect(await bob.post(`/api/records/${id}/access/request`, {})).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining(closedAccount) },
  });
  const expanded = await bob.get(`/api/records/${id}?expand=1`);
  expect(expanded.body.expanded.parent.access.owned_by).toMatchObject({ is_ghost: true, active: false });
  expect((await visitor.send(path, { action: "confirm" })).text).toContain(closedAccount);
  const form = await visitor.open(`/records/${id}/access-request`);
  expect(form.text).toContain(closedAccount);
  expect(form.text).not.toContain("<textarea");
  expect(box.mails.filter(({ to }) => to.startsWith("alice"))).toEqual([]);
});

test("who is signed out in another tab while the form is open keeps what was typed, and is told (issue 18)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const id = await givenClosed(api);
  await api.server.services.signIn.resetPassword(await api.idOf("bob"), password);
  const bob = new FormBrowser(api.server.url);
  await bob.send("/sign-in", { account: "bob", password });
  expect((await bob.open(`/records/${id}/access-request`)).text).not.toContain('name="email"');
  await bob.send("/sign-out", {});
  for (const [allow_guest_requests, says] of [
    [true, "You are signed out, and nothing was sent."],
    [false, "Sign in to ask."],
  ] as const) {
    await (await api.as("alice")).put(`/api/records/${id}/access`, { allow_guest_requests });
    const late = await bob.send(`/records/${id}/access-request`, { message: "Typed for an hour" });
    expect([late.status, late.text]).toEqual([403, expect.stringContaining(">Typed for an hour</textarea>")]);
    expect(late.text).toContain(says);
  }
});

test("a guest who confirms too late reads why the request was not sent, and finds the record (issue 18)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const [alice, admin, visitor] = [await api.as("alice"), await api.as("admin"), new FormBrowser(api.server.url)];
  const ends: Record<string, (id: string) => Promise<unknown>> = {
    "The owner does not take requests": (id) => alice.put(`/api/records/${id}/access`, { allow_guest_requests: false }),
    "The record was deleted meanwhile.": (id) => admin.delete(`/api/records/${id}/delete`),
    "The record is not public any more.": async (id) => {
      const { body } = await alice.post(`/api/records/${id}/draft`);
      const access = { record: "restricted", files: "restricted" };
      await alice.put(`/api/records/${id}/draft`, { ...body, access });
      await publish(alice, id);
    },
  };
  for (const [at, [says, end]] of Object.entries(ends).entries()) {
    const id = await givenClosed(api);
    await visitor.send(`/records/${id}/access-request`, { ...guest, email: `g${at}@elsewhere.example` });
    const mail = () => box.mails.find(({ to }) => to.startsWith(`g${at}@`));
    await until(() => mail() !== undefined, "the question is to be confirmed");
    const path = /\/access-requests\/\S+/.exec(mail()?.text ?? "")?.[0] ?? "";
    await end(id);
    const late = await visitor.send(path, { action: "confirm" });
    expect(late.text).toContain("<h1>Your request was not sent");
    expect(late.text).toContain(says);
    expect(late.text).toContain(`href="/records/${id}">Go to the record</a>`);
  }
});

test("after a refusal the form keeps what was right, the consent too, and has the focus at what was wrong (issue 18)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const id = await givenClosed(api);
  const visitor = new FormBrowser(api.server.url);
  const wrong = await visitor.send(`/records/${id}/access-request`, { ...guest, email: "nobody" });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toMatch(/<input id="consent"[^>]* checked>/);
  expect(wrong.text).toMatch(/<input id="email"[^>]* autofocus>/);
});

test("the mail and the page that tell a guest of their access say until when it holds, if it ends (issue 18)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const alice = await api.as("alice");
  const visitor = new FormBrowser(api.server.url);
  for (const [secret_link_expiration, email] of [
    [30, "one@elsewhere.example"],
    [0, "two@elsewhere.example"],
  ] as const) {
    const id = await givenClosed(api);
    await alice.put(`/api/records/${id}/access`, { allow_guest_requests: true, secret_link_expiration });
    await api.anonymous.post(`/api/records/${id}/access/request`, { ...guest, email });
    const mailed = (words: string) => box.mails.find(({ to, subject }) => to === email && subject.includes(words));
    await until(() => mailed("Confirm") !== undefined, "the guest confirms the address");
    const path = /\/access-requests\/\S+/.exec(mailed("Confirm")?.text ?? "")?.[0] ?? "";
    await visitor.send(path, { action: "confirm" });
    const [request] = (await alice.get("/api/requests?is_open=true")).body.hits.hits;
    expect((await alice.post(`/api/requests/${request.id}/actions/accept`)).status).toBe(200);
    await until(() => mailed("You have access") !== undefined, "the guest is told");
    const [link] = (await alice.get(`/api/records/${id}/access/links`)).body.hits.hits;
    const lastDay = link.expires_at === undefined ? undefined : dayInWords(link.expires_at);
    expect(lastDay !== undefined).toBe(secret_link_expiration > 0);
    const told = mailed("You have access");
    for (const text of [told?.text, told?.html, (await visitor.open(path)).text]) {
      if (lastDay === undefined) expect(text).not.toContain("works until");
      else expect(text).toContain(`works until ${lastDay}.`);
    }
  }
});
