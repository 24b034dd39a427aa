import { describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { addFile, givenDraft } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { openMailbox } from "../support/mailbox.ts";
import { givenRecord } from "../support/records.ts";
import { comment } from "../support/reviews.ts";
import { password } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const title = "Deep sea core";
const closed = { record: "public", files: "restricted" } as const;
const hidden = { record: "restricted", files: "restricted" } as const;

/** A record with public metadata and one restricted file, whose owner takes requests. */
async function givenClosed(
  owner: HttpClient,
  settings: object = {},
  access: typeof closed | typeof hidden = closed,
): Promise<string> {
  const id = await givenDraft(owner, { access });
  await addFile(owner, id, "data.txt", "secret bytes");
  expect((await owner.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
  const taken = { allow_user_requests: true, allow_guest_requests: true, ...settings };
  expect((await owner.put(`/api/records/${id}/access`, taken)).status).toBe(200);
  return id;
}

const fileOf = (id: string) => `/api/records/${id}/files/data.txt/content`;
const askOf = (id: string) => `/api/records/${id}/access/request`;
const guest = {
  ...{ email: "Guest@Elsewhere.example", full_name: "Greta Guest", message: "For my thesis" },
  consent_to_share_personal_data: "true",
};

describe.each(roles)("users ask for access on the %s (interoperability 14)", (role) => {
  test("the owner accepts: a grant; the request is in both lists (issue 18, interoperability 14)", async () => {
    const api = await startApi(role);
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const id = await givenClosed(alice);
    expect((await bob.get(fileOf(id))).status).toBe(403);
    const asked = await bob.post(askOf(id), { message: "For my thesis", permission: "view" });
    expect(asked.status).toBe(200);
    const owner = await api.idOf("alice");
    expect(asked.body).toMatchObject({
      type: "user-access-request",
      status: "submitted",
      title: title,
      created_by: { user: await api.idOf("bob") },
      receiver: { user: owner },
      topic: { record: id },
      payload: { permission: "view", message: "For my thesis" },
    });
    expect(asked.headers.get("etag")).toBe('"1"');
    const path = `/api/requests/${asked.body.id}`;
    for (const person of [alice, bob]) {
      const found = await person.get("/api/user/requests?type=user-access-request");
      expect(found.body.hits.hits.map((hit: { id: string }) => hit.id)).toEqual([asked.body.id]);
      expect(found.body.aggregations.type.buckets).toMatchObject([{ key: "user-access-request", doc_count: 1 }]);
    }
    expect((await alice.get("/api/requests?q=type:user-access-request")).body.hits.total).toBe(1);
    expect((await alice.get("/api/user/requests?type=default-request")).body.hits.total).toBe(0);
    expect((await bob.post(askOf(id), {})).body.message).toContain(asked.body.id);
    expect((await alice.post(`${path}/comments`, comment("Which thesis?"))).status).toBe(201);
    expect((await bob.put(path, (await bob.get(path)).body)).status).toBe(200);
    expect((await bob.post(`${path}/actions/accept`)).status).toBe(403);
    expect((await alice.post(`${path}/actions/accept`)).body.status).toBe("accepted");
    expect((await bob.get(fileOf(id))).text).toBe("secret bytes");
    expect((await alice.get(`/api/records/${id}/access/grants`)).body.hits.hits).toMatchObject([
      { permission: "view", subject: { type: "user", id: await api.idOf("bob") }, origin: `request:${asked.body.id}` },
    ]);
    const again = await bob.post(askOf(id), {});
    expect([again.status, again.body.message]).toEqual([400, expect.stringContaining("already have access")]);
  });

  test("the record is deleted meanwhile: accepting is refused, declining is not; restored, it can be accepted", async () => {
    const api = await startApi(role);
    const [alice, bob, eve, admin] = [
      ...[await api.as("alice"), await api.onServer("bob"), await api.onServer("eve")],
      await api.onServer("admin"),
    ] as const;
    const id = await givenClosed(alice);
    const ask = async (person: HttpClient) => `/api/requests/${(await person.post(askOf(id), {})).body.id}/actions`;
    const [ofBob, ofEve] = [await ask(bob), await ask(eve)];
    expect((await admin.delete(`/api/records/${id}/delete`)).status).toBe(204);
    const refused = await alice.post(`${ofBob}/accept`);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      "The record was deleted: nobody can get access to it.",
    ]);
    expect((await alice.post(`${ofEve}/decline`)).body.status).toBe("declined");
    expect((await admin.post(`/api/records/${id}/restore`, {})).status).toBe(200);
    expect((await alice.post(`${ofBob}/accept`)).body.status).toBe("accepted");
    expect((await bob.get(fileOf(id))).text).toBe("secret bytes");
  });

  test("declined and cancelled requests give nothing; who asks is not shown to previewers (issue 18, interoperability 14)", async () => {
    const api = await startApi(role);
    const [alice, bob, carol] = [await api.as("alice"), await api.as("bob"), await api.as("carol")];
    const id = await givenClosed(alice);
    for (const [name, permission] of [
      ["carol", "preview"],
      ["dora", "manage"],
    ] as const) {
      const subject = { type: "user", id: await api.idOf(name) };
      await alice.post(`/api/records/${id}/access/grants`, { grants: [{ permission, subject }] });
    }
    const first = (await bob.post(askOf(id), {})).body.id;
    expect((await carol.get(`/api/requests/${first}`)).status).toBe(403);
    expect((await carol.get("/api/requests")).body.hits.total).toBe(0);
    expect((await (await api.as("moderator")).get("/api/requests")).body.hits.total).toBe(0);
    expect((await (await api.as("dora")).get(`/api/requests/${first}`)).status).toBe(200);
    expect((await bob.post(`/api/requests/${first}/actions/cancel`)).body.status).toBe("cancelled");
    const second = (await bob.post(askOf(id), {})).body.id;
    expect((await alice.post(`/api/requests/${second}/actions/decline`)).body.status).toBe("declined");
    expect((await bob.get(fileOf(id))).status).toBe(403);
  });

  test("only where the owner takes requests, and only for files of readable records (issue 18, interoperability 14)", async () => {
    const api = await startApi(role);
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const silent = await givenClosed(alice, { allow_user_requests: false, allow_guest_requests: false });
    expect(await bob.post(askOf(silent), {})).toMatchObject({ status: 403 });
    const secret = await givenClosed(alice, {}, hidden);
    expect(await bob.post(askOf(secret), {})).toMatchObject({ status: 403, body: { message: "Permission denied." } });
    const open = await givenRecord(alice);
    expect((await bob.post(askOf(open), {})).status).toBe(400);
    expect((await bob.post(askOf("zzzzz-zzz99"), {})).status).toBe(404);
    const id = await givenClosed(alice);
    expect(await bob.post(askOf(id), { permission: "edit" })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "permission" }] },
    });
    expect((await bob.post(askOf(id), { message: 1 })).body.errors[0].field).toBe("message");
  });
});

/** The address of the guest's page in a mail, as a path. */
const pageIn = (text: string): string => /http:\/\/[^/]+(\/access-requests\/\S+)/.exec(text)?.[1] ?? "";

async function openGuests(): Promise<{ api: Api; box: Awaited<ReturnType<typeof openMailbox>>; alice: HttpClient }> {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  return { api, box, alice: await api.as("alice") };
}

test("who asks twice on the page, as by a double click, is led to the request (issue 18, interoperability 14)", async () => {
  const api = await startApi("server");
  const id = await givenClosed(await api.as("alice"));
  await api.as("bob");
  await api.server.services.signIn.resetPassword(await api.idOf("bob"), password);
  const browser = new FormBrowser(api.server.url);
  await browser.send("/sign-in", { account: "bob", password });
  const page = `/records/${id}/access-request`;
  const [sent, again] = await Promise.all([1, 2].map(() => browser.send(page, { message: "For my thesis" })));
  expect([sent?.status, again?.status]).toEqual([200, 200]);
  const [request] = (await (await api.as("bob")).get("/api/user/requests")).body.hits.hits;
  for (const answer of [sent, again, await browser.open(page)])
    expect(answer?.text).toContain(`href="/me/requests/${request.id}">See your request</a>`);
  expect((await browser.open(page)).text).toContain("You have asked already");
});

describe("guests ask for access (interoperability 14)", () => {
  test("address, request, decision, link; all by mail and without an account (issue 18, interoperability 14)", async () => {
    const { api, box, alice } = await openGuests();
    const id = await givenClosed(alice, { secret_link_expiration: 30 });
    const asked = await api.anonymous.post(askOf(id), guest);
    expect([asked.status, asked.body]).toEqual([200, { message: expect.stringContaining("Verification link") }]);
    const [first] = await box.first(1);
    expect(first).toMatchObject({ to: "guest@elsewhere.example", subject: expect.stringContaining("Confirm") });
    const path = pageIn(first?.text ?? "");
    const visitor = new FormBrowser(api.server.url);
    // Mail programs open links by themselves.
    expect(await visitor.open(path)).toMatchObject({ status: 200, text: expect.stringContaining("guest@elsewhere") });
    expect((await alice.get("/api/requests")).body.hits.total).toBe(0);
    await visitor.send(path, { action: "confirm" });
    await visitor.send(path, { action: "confirm" });
    const { hits } = (await alice.get("/api/requests?expand=1")).body.hits;
    expect(hits).toHaveLength(1);
    const [request] = hits;
    expect(request).toMatchObject({
      type: "guest-access-request",
      status: "submitted",
      description: "For my thesis",
      created_by: { email: "guest@elsewhere.example" },
      payload: { full_name: "Greta Guest", email: "guest@elsewhere.example", secret_link_expiration: "30" },
      expanded: { created_by: { email: "guest@elsewhere.example", profile: { full_name: "Greta Guest" } } },
    });
    const told = (await box.first(2))[1];
    expect(told).toMatchObject({
      to: "alice@example.org",
      subject: `Greta Guest asks for access to the files of “${title}”`,
    });
    expect((await visitor.open(path)).text).toContain("has not decided yet");
    await alice.post(`/api/requests/${request.id}/comments`, comment("<p>Which <b>thesis</b>?</p>"));
    expect((await box.first(3))[2]).toMatchObject({
      to: guest.email.toLowerCase(),
      text: expect.stringContaining("> Which thesis?"),
    });
    expect((await alice.post(`/api/requests/${request.id}/actions/accept`)).status).toBe(200);
    const accepted = (await box.first(4))[3];
    const address = /\S+\/records\/\S+token=(\S+)/.exec(accepted?.text ?? "");
    expect(accepted?.subject).toBe(`You have access to “${title}”`);
    expect((await api.anonymous.get(`${fileOf(id)}?token=${address?.[1]}`)).text).toBe("secret bytes");
    expect((await visitor.open(path)).text).toContain(`token=${address?.[1]}`);
    const links = (await alice.get(`/api/records/${id}/access/links`)).body.hits.hits;
    expect(links).toMatchObject([
      { permission: "view", description: "Requested by guest: Greta Guest (guest@elsewhere.example)" },
    ]);
    expect(links[0].expires_at).toMatch(/^\d{4}-\d\d-\d\d$/);
    await alice.delete(`/api/records/${id}/access/links/${links[0].id}`);
    expect((await visitor.open(path)).text).toMatch(/Your access has ended.*link that you got has ended/s);
  });

  test("all mails to a guest are in the language of the page on which they asked (issue 18, languages)", async () => {
    const { api, box, alice } = await openGuests();
    const id = await givenClosed(alice);
    const visitor = new FormBrowser(api.server.url);
    await visitor.send(`/records/${id}/access-request?lang=de`, guest);
    const [first] = await box.first(1);
    expect(first?.subject).toMatch(/^Bestätigen Sie Ihre Bitte um Zugriff auf „/);
    await visitor.send(pageIn(first?.text ?? ""), { action: "confirm" });
    const { hits } = (await alice.get("/api/requests")).body.hits;
    await alice.post(`/api/requests/${hits[0].id}/actions/decline`);
    const declined = () =>
      box.mails.find(({ subject }) => /^Ihre Bitte um Zugriff auf „.*“ wurde abgelehnt$/.test(subject));
    await until(() => declined() !== undefined, "the guest is told in German");
    expect(box.mails.find(({ to }) => to === "alice@example.org")?.subject).toContain("asks for access");
  });

  test("the form works without script, asks for consent and shows conditions as clean HTML (issue 18, interoperability 14)", async () => {
    const { api, box, alice } = await openGuests();
    const conditions = '<p onclick="x()">Cite <b>us</b></p><script>alert(1)</script>';
    const id = await givenClosed(alice, { accept_conditions_text: conditions });
    const { settings } = (await alice.get(`/api/records/${id}`)).body.parent.access;
    expect(settings.accept_conditions_text).toBe("<p>Cite <b>us</b></p>");
    const visitor = new FormBrowser(api.server.url);
    expect((await visitor.open(`/records/${id}`)).text).toContain(`/records/${id}/access-request`);
    const form = await visitor.open(`/records/${id}/access-request`);
    expect(form.status).toBe(200);
    expect(form.text).toContain("<p>Cite <b>us</b></p>");
    expect(form.text).not.toContain("alert(1)");
    const { consent_to_share_personal_data: _consent, ...silent } = guest;
    const refused = await visitor.send(`/records/${id}/access-request`, { ...silent, full_name: '"><b>' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("The owner must see your name and address");
    expect(refused.text).toContain("&quot;&gt;&lt;b&gt;");
    expect((await visitor.send(`/records/${id}/access-request`, { ...guest, email: "nobody" })).status).toBe(400);
    expect((await visitor.send(`/records/${id}/access-request`, guest)).text).toContain("Confirm your address");
    const path = pageIn((await box.first(1))[0]?.text ?? "");
    await visitor.send(path, { action: "confirm" });
    await visitor.send(path, { action: "withdraw" });
    expect((await visitor.open(path)).text).toContain("You withdrew your request");
    expect((await alice.get("/api/requests")).body.hits.hits[0].status).toBe("cancelled");
    expect((await visitor.open("/access-requests/nothing.at-all")).status).toBe(404);
    const { db } = api.server.host;
    expect((await api.anonymous.post(askOf(id), guest)).status).toBe(200);
    const confirmations = () => box.mails.filter(({ subject }) => subject.startsWith("Confirm"));
    await until(() => confirmations().length === 2, "the second question is to be confirmed");
    const second = pageIn(confirmations()[1]?.text ?? "");
    await db.updateTable("access_confirmation").set({ expires_at: 1 }).where("request_id", "is", null).execute();
    expect((await visitor.open(second)).status).toBe(404);
    expect((await visitor.send(second, { action: "confirm" })).status).toBe(400);
  });

  test("limits by address and network; no mail server, no guests; the answer names the expiry (issue 18, interoperability 14)", async () => {
    const { api, box, alice } = await openGuests();
    const id = await givenClosed(alice);
    let count = 0;
    const askAs = (email: string) => api.anonymous.post(askOf(id), { ...guest, email, message: `Please ${count++}.` });
    for (let n = 0; n < 5; n++) expect((await askAs("one@elsewhere.example")).status).toBe(200);
    await box.first(3);
    await Promise.all(Array.from({ length: 8 }, () => askAs("two@elsewhere.example")));
    const { db } = api.server.host;
    const rows = db.selectFrom("access_confirmation").select("email").where("email", "=", "two@elsewhere.example");
    expect(await rows.execute(), "calls at once do not pass the limit together").toHaveLength(3);
    for (let n = 0; n < 14; n++) expect((await askAs(`g${n}@elsewhere.example`)).status).toBe(200);
    const limited = await askAs("late@elsewhere.example");
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "3600"]);
    const mails = await box.first(20);
    expect(mails.filter(({ to }) => to === "one@elsewhere.example")).toHaveLength(3);
    const visitor = new FormBrowser(api.server.url);
    await visitor.send(pageIn(mails[0]?.text ?? ""), { action: "confirm" });
    await db.updateTable("request").set({ expires_at: 1 }).execute();
    await api.server.services.requestActions.expireDue();
    await until(() => box.mails.some(({ subject }) => subject.includes("has expired")), "the guest is told");
    const dumb = await startApi("server");
    const other = await givenClosed(await dumb.as("alice"));
    expect((await dumb.anonymous.post(askOf(other), guest)).status).toBe(503);
    const page = `/records/${other}/access-request`;
    const { text } = await new FormBrowser(dumb.server.url).open(page);
    expect(text).toContain("sends no mail");
    const back = text.split(`href="/sign-in?next=${encodeURIComponent(page)}"`);
    expect(back, "people with an account can go on from there, and from the bar (issue 17)").toHaveLength(3);
    expect((await dumb.anonymous.post(askOf(other), {})).body.errors[0].field).toBe("email");
  });
});
