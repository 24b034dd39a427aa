import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";
import { password } from "../support/sign-in.ts";

const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

let api: Api;
let alice: HttpClient;
beforeAll(async () => {
  api = await startApi("server");
  alice = await api.as("alice");
}, 60_000);

describe("what other programs find (web 3, 4, 11; issue 18)", () => {
  test("errors of pages are JSON for programs, and a page with the number of the call for browsers", async () => {
    const draft = await givenDraft(alice, { metadata, access: { record: "restricted", files: "restricted" } });
    await addFile(alice, draft, "a.txt", "bytes");
    await publish(alice, draft);
    const paths = ["/records/unknown/export/bibtex", "/records/unknown/people", `/records/${draft}/files/a.txt`];
    for (const path of [...paths, `/records/${draft}/export/constructor`]) {
      const { status, body } = await api.anonymous.get(path, { headers: { accept: "application/json" } });
      expect([path, body.status]).toEqual([path, status]);
      const shown = await api.anonymous.get(path, asBrowser);
      expect([path, shown.status]).toEqual([path, status]);
      expect(shown.text).toContain(shown.headers.get("x-request-id"));
    }
  });

  test("names of an object's own are no exports", async () => {
    const id = await givenRecord(alice);
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      expect((await api.anonymous.get(`/records/${id}/export/${name}`)).status).toBe(404);
  });

  test("title and abstract of a record in one other language say so", async () => {
    const german = { ...metadata, title: "Gezeiten", description: "<p>Gemessen.</p>", languages: [{ id: "deu" }] };
    const { id } = (await alice.post("/api/records", { metadata: german, files: { enabled: false } })).body;
    await publish(alice, id);
    const { text } = await api.anonymous.get(`/records/${id}?lang=en`, asBrowser);
    expect(text).toContain('<h1 dir="auto" lang="de">Gezeiten</h1>');
    expect(text).toContain('<div class="prose" dir="auto" lang="de">');
    expect((await api.anonymous.get(`/records/${id}?lang=de`, asBrowser)).text).toContain(
      '<h1 dir="auto">Gezeiten</h1>',
    );
  });
});

test("a refused page tells strangers to sign in, and signed-in users that their account is not enough (web 4, issue 18)", async () => {
  const access = { record: "restricted", files: "restricted" };
  const { id } = (await alice.post("/api/records", { metadata, access, files: { enabled: false } })).body;
  await publish(alice, id);
  await api.as("bob");
  await api.server.services.signIn.resetPassword(await api.idOf("bob"), password);
  const [bob, stranger] = [new FormBrowser(api.server.url), new FormBrowser(api.server.url)];
  await bob.send("/sign-in", { account: "bob", password });
  const [own, other] = [await bob.open(`/records/${id}`), await stranger.open(`/records/${id}`)];
  expect([own.status, other.status]).toEqual([403, 403]);
  expect(other.text).toContain("Sign in, or ask its owner for a link.");
  expect(own.text).toContain("your account cannot read it");
  expect(own.text).not.toContain("Sign in, or");
});

test("a form that another site sent is refused with that reason (web 9, issue 18)", async () => {
  const refused = await new FormBrowser(api.server.url).send("/sign-in", {}, "https://other.example.org");
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("This form was not sent from a page of this site.");
  expect(refused.text).not.toContain("This content is not public");
});

test("pages of a deleted record say so, the forms too that were open before (issue 18)", async () => {
  const [id, admin] = [await givenRecord(alice, { metadata, files: { enabled: false } }), await api.as("admin")];
  const browserOf = async (name: string): Promise<FormBrowser> => {
    await api.server.services.signIn.resetPassword(await api.idOf(name), password);
    const browser = new FormBrowser(api.server.url);
    await browser.send("/sign-in", { account: name, password });
    return browser;
  };
  const [owner, visitor, boss] = [await browserOf("alice"), new FormBrowser(api.server.url), await browserOf("admin")];
  await admin.delete(`/api/records/${id}/delete`, { removal_reason: { id: "spam" } });
  for (const gone of [
    await owner.send(`/records/${id}/own`, { action: "edit" }),
    await visitor.open(`/records/${id}/access-request`),
    await visitor.send(`/records/${id}/access-request`, { email: "g@elsewhere.example" }),
  ])
    expect([gone.status, gone.text]).toEqual([410, expect.stringContaining("<h1>This record was deleted")]);
  for (const rest of ["", "/versions", "/access-request"]) {
    const { text } = await boss.open(`/records/${id}${rest}`);
    expect(text).toContain(`href="/me/records/${id}">Restore it in the app`);
  }
});
