import { describe, expect, onTestFinished, test } from "vitest";
import { listMailStates, retryMail } from "../../server/mail/mail-states.service.ts";
import { smtpMailer } from "../../server/mail/smtp-mailer.ts";
import { type Api, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { type ArrivedMail, openMailbox } from "../support/mailbox.ts";
import { givenRecord } from "../support/records.ts";
import { comment, givenComment, givenReview, givenSubmitted } from "../support/reviews.ts";
import { until } from "../support/until.ts";

/** Refuses a mail after its text has arrived. */
function refuse(responseCode: number): never {
  throw Object.assign(new Error("not like this"), { responseCode });
}

const toOf = ({ to }: ArrivedMail): string => to.replace("@example.org", "");
const jobsOf = (api: Api) => api.server.host.db.selectFrom("job").selectAll().where("kind", "=", "mail").execute();

/** Makes postponed mail due; the next commit sends it. */
async function retryNow(api: Api): Promise<void> {
  await api.server.host.db.updateTable("job").set({ run_at: 0, claimed_until: null }).execute();
  await (await api.as("nudger")).post("/api/records", { metadata: {} });
}

test("the recipient of a mail is one address, whatever is in it (issue 15)", async () => {
  const box = await openMailbox();
  const mailer = smtpMailer(box.smtp);
  onTestFinished(() => mailer.close());
  await mailer.send({ id: "1", to: "x,ada@victim.example", subject: "s", text: "t", html: "<p>t</p>" });
  expect((await box.first(1)).map(({ to }) => to)).not.toContain("ada@victim.example");
});

describe("who gets mail, never the actor (requests 13)", () => {
  test("submit, comment, reply, decline, cancel, accept, expire", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const [ada, bob, cleo] = [await api.as("ada"), await api.as("bob"), await api.as("moderator")];
    let seen = 0;
    /** The recipients of the mails that a call caused. */
    async function toldBy(call: () => Promise<unknown>, count: number): Promise<string[]> {
      await call();
      const mails = await box.first(seen + count);
      const news = mails.slice(seen);
      seen += count;
      return news.map(toOf).sort();
    }
    const { draft, request } = await givenReview(api, "ada", "bob");
    const path = `/api/requests/${request}`;
    expect(await toldBy(() => ada.post(`${path}/actions/submit`), 1)).toEqual(["bob"]);
    const commentId = (await cleo.post(`${path}/comments`, comment("From aside"))).body.id;
    expect(await toldBy(async () => {}, 2)).toEqual(["ada", "bob"]);
    expect(await toldBy(() => ada.post(`${path}/comments`, comment("x")), 2)).toEqual(["bob", "moderator"]);
    expect(await toldBy(() => bob.post(`${path}/comments/${commentId}/reply`, comment("r")), 1)).toEqual(["moderator"]);
    expect(await toldBy(() => ada.post(`${path}/comments/${commentId}/reply`, comment("r")), 2)).toEqual([
      "bob",
      "moderator",
    ]);
    expect(await toldBy(() => bob.post(`${path}/actions/decline`), 1)).toEqual(["ada"]);
    const again = async () => {
      const receiver = { user: await api.idOf("bob") };
      const { id } = (await ada.put(`/api/records/${draft}/draft/review`, { receiver })).body;
      expect(await toldBy(() => ada.post(`/api/requests/${id}/actions/submit`), 1)).toEqual(["bob"]);
      return `/api/requests/${id}`;
    };
    const second = await again();
    expect(await toldBy(() => ada.post(`${second}/actions/cancel`), 1)).toEqual(["bob"]);
    const third = (await again()).split("/").at(-1) ?? "";
    const { db } = api.server.host;
    await db.updateTable("request").set({ expires_at: 1 }).where("id", "=", third).execute();
    expect(await toldBy(() => api.server.services.requestActions.expireDue(), 1)).toEqual(["ada"]);
    expect(box.mails.at(-1)?.subject).toBe("The request “Deep sea core 12” has expired");
    const fourth = await again();
    expect(await toldBy(() => bob.post(`${fourth}/actions/accept`), 1)).toEqual(["ada"]);
    await expect.poll(() => jobsOf(api)).toEqual([]);
  });
});

describe("what a mail says (requests 13)", () => {
  test("the owner of a deleted record: who deleted it, with a link to its page; nothing if it was restored meanwhile (issue 17)", async () => {
    let isDown = true;
    const box = await openMailbox({ onMail: () => void (isDown && refuse(451)) });
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const [ada, admin] = [await api.as("ada"), await api.as("admin")];
    const [gone, back] = [await givenRecord(ada), await givenRecord(ada)];
    for (const id of [gone, back]) expect((await admin.delete(`/api/records/${id}/delete`, {})).status).toBe(204);
    await expect.poll(async () => (await jobsOf(api)).map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(await listMailStates(api.server.host.db, api.server.services.users)).toMatchObject([
      { trigger: "record_deleted", request: null, to: "ada@example.org" },
      { trigger: "record_deleted", request: null },
    ]);
    expect((await admin.post(`/api/records/${back}/restore`)).status).toBe(200);
    isDown = false;
    await retryNow(api);
    await expect.poll(() => jobsOf(api)).toEqual([]);
    const mail = box.mails.at(-1);
    expect(mail).toMatchObject({
      to: "ada@example.org",
      subject: expect.stringMatching(/ deleted your record “A Romans story”$/),
    });
    expect(mail?.text).toContain(`Open the record: ${api.server.url}/records/${gone}`);
    expect(box.mails).toHaveLength(1);
    expect(mail?.text).not.toContain("has no page");
  });

  test("the owner of a record that was deleted and hidden: who deleted it, and whom to ask for the reason (issue 17)", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const [ada, admin] = [await api.as("ada"), await api.as("admin")];
    const id = await givenRecord(ada);
    expect((await admin.delete(`/api/records/${id}/delete`, { is_visible: false, note: "Secret" })).status).toBe(204);
    const [mail] = await box.first(1);
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toMatch(/ deleted your record .*It has no page any more\. Ask an administrator for the reason\./s);
      expect(body).not.toMatch(/Secret|\/records\//);
    }
  });

  test("both bodies say the same, with a link that opens at the comment; markup and hostile titles are text", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const { request } = await givenSubmitted(api, "ada", "bob", 'Core <b>12</b> & "more"\r\nBcc: eve@example.org');
    const id = await givenComment(api, "bob", request, "<p>Which <b>core</b>?</p><p>1 &lt; 2</p>");
    const reply = await (await api.as("ada")).post(`/api/requests/${request}/comments/${id}/reply`, comment("That"));
    const [submitted, commented, replied] = await box.first(3);
    const page = `${api.server.url}/me/requests/${request}`;
    expect(submitted?.subject).toBe(
      'Ada Example asks for your review of “Core <b>12</b> & "more" Bcc: eve@example.org”',
    );
    expect(submitted?.text.endsWith(`\nOpen the request: ${page}`)).toBe(true);
    expect(commented?.to).toBe("ada@example.org");
    expect(commented?.text).toMatch(/^> Which core\?\s+(> )?1 < 2$/m);
    expect(commented?.text.endsWith(`\nOpen the request: ${page}#commentevent-${id}`)).toBe(true);
    expect(commented?.html).toContain(`<a href="${page}#commentevent-${id}">`);
    expect(commented?.html).toContain("1 &#60; 2");
    expect(commented?.html).toContain("Core &#60;b&#62;12&#60;/b&#62; &#38; &#34;more&#34;");
    expect(replied?.text.endsWith(`${page}#commentevent-${id}_${reply.body.id}`)).toBe(true);
    expect((await api.anonymous.get(page.slice(api.server.url.length))).status).not.toBe(404);
  });
});

describe("the language of mails (issue 18, languages)", () => {
  test("the recipient's choice counts; a guest and who forgot a password get that of their page", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const bob = await api.as("bob");
    const chosen = await bob.put("/api/me", { language: "de" });
    expect([chosen.status, chosen.body.preferences.language]).toEqual([200, "de"]);
    expect((await bob.put("/api/me", { language: "xx" })).status).toBe(400);
    const { request } = await givenSubmitted(api, "ada", "bob", "Core");
    await givenComment(api, "bob", request, "Hm");
    expect((await box.first(2)).map(({ subject }) => subject)).toEqual([
      "Ada Example bittet um Ihre Begutachtung von „Core“",
      "Bob Example commented on “Core”",
    ]);
    const browser = new FormBrowser(api.server.url);
    await browser.send("/forgot-password?lang=de", { email: "ada@example.org" });
    await browser.send("/forgot-password", { email: "bob@example.org" });
    const resets = (await box.first(4)).slice(2).map(({ subject }) => subject.split(" für ")[0]);
    expect(resets).toEqual(["Ein neues Passwort", "Ein neues Passwort"]);
    await bob.put("/api/me", { language: null });
    expect((await bob.get("/api/me")).body.preferences.language).toBeUndefined();
  });
});

describe("delivery never delays or fails the call (requests 13)", () => {
  test("a server that is down: the order stays, and is carried out once when it is up", async () => {
    const closedBox = await openMailbox();
    await closedBox.close();
    const api = await startApi("server", { settings: { smtp: closedBox.smtp } });
    await givenSubmitted(api, "ada", "bob");
    await expect.poll(async () => (await jobsOf(api))[0]?.attempts).toBe(1);
    expect((await jobsOf(api))[0]?.last_error).toMatch(/ECONNREFUSED/);
    const box = await openMailbox({}, closedBox.port);
    await retryNow(api);
    await box.first(1);
    await expect.poll(() => jobsOf(api)).toEqual([]);
    expect(box.mails.map(toOf)).toEqual(["bob"]);
  });

  test("a server that is slow: calls go on while a mail is under way, and stopping does not wait for it", async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const box = await openMailbox({
      onMail() {
        arrived.resolve();
        return gate.promise;
      },
    });
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const { request } = await givenSubmitted(api, "ada", "bob");
    await arrived.promise;
    await givenComment(api, "bob", request, "Written meanwhile");
    expect(box.mails).toEqual([]);
    expect(await jobsOf(api)).toHaveLength(2);
    let isClosed = false;
    void api.server.close().then(() => {
      isClosed = true;
    });
    await until(() => isClosed, "the server is closed", 10_000);
    gate.resolve();
  });

  test("one recipient is refused for good: tried once, and the operator is told; the others get their mail", async () => {
    const box = await openMailbox({ refused: ["bob@example.org"] });
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const { request } = await givenSubmitted(api, "ada", "bob");
    await givenComment(api, "bob", request, "For Ada");
    expect((await box.first(1)).map(toOf)).toEqual(["ada"]);
    await expect.poll(() => jobsOf(api)).toEqual([]);
    const { db } = api.server.host;
    const states = () => listMailStates(db, api.server.services.users);
    const given = { state: "given_up", to: "bob@example.org", trigger: "submitted", request, attempts: 1 };
    expect(await states()).toMatchObject([{ ...given, reason: expect.stringMatching(/no such mailbox/) }]);
    await retryNow(api);
    expect(await states()).toMatchObject([given]);
    const corrected = await openMailbox({}, await box.close().then(() => box.port));
    expect(await retryMail(db, undefined)).toBe(1);
    await retryNow(api);
    expect((await corrected.first(1)).map(toOf)).toEqual(["bob"]);
    await expect.poll(states).toEqual([]);
  });

  test.each([
    ["a mailbox that is full for now (452)", { refused: ["bob@example.org"], code: 452 }, "failing"],
    ["a text that is refused for good (554)", { onMail: () => refuse(554) }, "given_up"],
    ["a text that is refused for now (451)", { onMail: () => refuse(451) }, "failing"],
  ])("%s is tried again, or given up and told", async (_name, options, state) => {
    const box = await openMailbox(options);
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const begun = Date.now();
    await givenSubmitted(api, "ada", "bob");
    const { db } = api.server.host;
    const states = () => listMailStates(db, api.server.services.users);
    await expect.poll(async () => (await states())[0]?.attempts).toBe(1);
    expect(await states()).toMatchObject([{ state, to: "bob@example.org" }]);
    if (state === "failing") expect(Date.parse(String((await states())[0]?.next_attempt))).toBeGreaterThan(begun);
  });

  test("an answer that is lost: sent again under the same Message-ID, by which it is known", async () => {
    const ids: string[] = [];
    const box = await openMailbox({
      onMail({ messageId }) {
        ids.push(messageId);
        if (ids.length === 1) throw new Error("taken, but nobody hears of it");
      },
    });
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    await givenSubmitted(api, "ada", "bob");
    await expect.poll(async () => (await jobsOf(api))[0]?.attempts).toBe(1);
    await retryNow(api);
    await box.first(1);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@example\.org>$/);
  });

  test("preferences.notifications.enabled false: no mail; of a comment deleted meanwhile neither", async () => {
    const closedBox = await openMailbox();
    await closedBox.close();
    const api = await startApi("server", { settings: { smtp: closedBox.smtp } });
    const preferences = JSON.stringify({ notifications: { enabled: false } });
    const { db } = api.server.host;
    await db
      .updateTable("user")
      .set({ preferences })
      .where("id", "=", await api.idOf("bob"))
      .execute();
    const { request } = await givenSubmitted(api, "ada", "bob");
    const id = await givenComment(api, "bob", request, "A slip of the pen");
    await givenComment(api, "bob", request, "What I meant");
    await (await api.as("bob")).delete(`/api/requests/${request}/comments/${id}`);
    await expect.poll(async () => (await jobsOf(api)).every(({ attempts }) => attempts === 1)).toBe(true);
    const box = await openMailbox({}, closedBox.port);
    await retryNow(api);
    await expect.poll(async () => (await jobsOf(api)).length).toBe(0);
    expect(box.mails.map(({ to, text }) => [to, text.includes("What I meant")])).toEqual([["ada@example.org", true]]);
  });

  test("who may not read the request any more gets no mail that waited", async () => {
    const closedBox = await openMailbox();
    await closedBox.close();
    const api = await startApi("server", { settings: { smtp: closedBox.smtp } });
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    const ada = await api.as("ada");
    const subject = { type: "user", id: await api.idOf("gina") };
    await ada.post(`/api/records/${draft}/access/grants`, { grants: [{ permission: "preview", subject }] });
    await givenComment(api, "gina", request, "May I?");
    await givenComment(api, "ada", request, "Among us");
    await ada.delete(`/api/records/${draft}/access/users/${subject.id}`);
    await expect.poll(async () => (await jobsOf(api)).every(({ attempts }) => attempts === 1)).toBe(true);
    const box = await openMailbox({}, closedBox.port);
    await retryNow(api);
    await expect.poll(async () => (await jobsOf(api)).length).toBe(0);
    expect(box.mails.map(toOf).sort()).toEqual(["ada", "bob", "bob", "bob"]);
  });
});
