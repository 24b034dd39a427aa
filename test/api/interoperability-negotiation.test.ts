import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { addFile, fileOf, fixtureBytes, givenDraft as givenFileDraft, givenRecord } from "../support/files.ts";
import { givenRecord as recordWith } from "../support/records.ts";
import { comment, givenReview } from "../support/reviews.ts";
import { listRoutes } from "../support/routes.ts";

const accepting = (accept: string, more = {}) => ({ headers: { accept, ...more } });
const octets = { headers: { "content-type": "application/octet-stream" } };

/** Every other call that changes something takes no body. */
const takesBody = [
  "DELETE /records/:id/delete",
  "DELETE /users/:id/groups",
  "PATCH /records/:id/access/grants/:n",
  "PATCH /records/:id/access/groups/:subject",
  "PATCH /records/:id/access/links/:link",
  "PATCH /records/:id/access/users/:subject",
  "POST /change-password",
  "POST /collections",
  "POST /groups",
  "POST /invitations",
  "POST /login",
  "POST /records",
  "POST /records/:id/access/grants",
  "POST /records/:id/access/links",
  "POST /records/:id/access/request",
  "POST /records/:id/draft/actions/files-remove",
  "POST /records/:id/draft/actions/files-rename",
  "POST /records/:id/draft/actions/submit-review",
  "POST /records/:id/draft/files",
  "POST /records/:id/requests",
  "POST /requests/:id/actions/:action",
  "POST /requests/:id/comments",
  "POST /requests/:id/comments/:cid/reply",
  "POST /requests/:id/reviewers",
  "POST /stats",
  "POST /sync/notifications/read",
  "POST /tokens",
  "POST /user/second-factor",
  "POST /user/second-factor/actions/confirm",
  "POST /user/second-factor/actions/remove",
  "POST /user/second-factor/actions/renew-codes",
  "POST /users/:id/groups",
  "PUT /administration/backups/schedule",
  "PUT /administration/people/:id/quota",
  "PUT /collections/:slug",
  "PUT /groups/:id",
  "PUT /me",
  "PUT /records/:id/access",
  "PUT /records/:id/access/grants/:n",
  "PUT /records/:id/draft",
  "PUT /records/:id/draft/review",
  "PUT /requests/:id",
  "PUT /requests/:id/comments/:cid",
  "PUT /users/:id/groups",
];

test("routes that take no body look at neither body nor Content-Type (interoperability 31, issue 18)", async () => {
  const api = await startApi("server");
  const changes = listRoutes(api).filter((route) => !/^(GET|HEAD|\*) | \/sync\/blobs|\/upload\//.test(route));
  const refused: string[] = [];
  for (const route of new Set(changes)) {
    const [verb = "", path = ""] = route.split(" ");
    const { status } = await api.anonymous.call(verb, `/api${path.replaceAll(":", "")}`, Buffer.from("{"), octets);
    if (status === 415) refused.push(route);
  }
  expect(refused.sort()).toEqual(takesBody);
  const alice = await api.as("alice");
  const id = await givenFileDraft(alice);
  await addFile(alice, id, "a.txt", "text");
  expect((await alice.call("DELETE", fileOf(id, "a.txt"), Buffer.from("{"), octets)).status).toBe(204);
  expect((await alice.call("POST", `/api/records/${id}/draft`, Buffer.from("{"), octets)).status).toBe(201);
  expect((await alice.call("DELETE", `/api/records/${id}/draft`, Buffer.from("{"), octets)).status).toBe(204);
});

describe.each(roles)("negotiation on the %s", (role) => {
  test("style and locale of a citation stand in Accept (interoperability 7, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await recordWith(alice);
    const ask = (accept: string, query = "") => alice.get(`/api/records/${id}${query}`, accepting(accept));
    const page = (await alice.get(`/api/records/${id}`)).body.links.self_html;
    const ieee = (date: string) => `T. Brown, “A Romans story,” ${date}. ${page}\n`;
    expect((await ask("text/x-bibliography; style=ieee; locale=da")).text).toBe(ieee("1. juni 2020"));
    expect((await ask('text/html;q=0.9, text/x-bibliography;style="ieee"')).text).toBe(ieee("June 1, 2020"));
    expect((await ask("text/x-bibliography; style=apa", "?style=ieee")).text).toBe(ieee("June 1, 2020"));
    expect((await ask("text/x-bibliography; style=ieee; locale=nonsense-locale")).status).toBe(200);
    expect(await ask("text/x-bibliography; style=unknown")).toMatchObject({
      status: 400,
      body: { errors: [{ field: "style", messages: [expect.stringContaining("apa")] }] },
    });
  });

  test("exports have an ETag of their text; comments link their place (interoperability 45, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await recordWith(alice);
    const ask = (type: string, more = {}) => alice.get(`/api/records/${id}`, accepting(type, more));
    const etags = new Set<string>();
    for (const type of ["application/x-bibtex", "application/ld+json", "text/csv"]) {
      const { headers } = await ask(type);
      const etag = headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      etags.add(etag);
      const again = await ask(type, { "if-none-match": etag });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect(again.headers.get("vary"), "as the whole answer has it (RFC 9110, 15.4.5)").toBe(headers.get("vary"));
    }
    expect(etags.size).toBe(3);
    await api.as("bob");
    const { request } = await givenReview(api, "alice", "bob");
    const made = await alice.post(`/api/requests/${request}/comments`, comment("Hello"));
    const place = `${new URL(made.body.links.self).origin}/me/requests/${request}#commentevent-${made.body.id}`;
    expect(made.body.links.self_html).toBe(place);
    expect((await alice.get(made.body.links.self)).body.links.self_html).toBe(place);
  });

  test("an unknown profile of JSON-LD and a type that is not offered are 406 (interoperability 47, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await recordWith(alice);
    const statusOf = async (path: string, accept: string) => (await alice.get(path, accepting(accept))).status;
    const record = `/api/records/${id}`;
    for (const profile of ["https://schema.org/", "http://schema.org", "https://other.example/ https://schema.org"]) {
      const { status, body } = await alice.get(record, accepting(`application/ld+json; profile="${profile}"`));
      expect([profile, status, body["@context"]]).toEqual([profile, 200, "https://schema.org"]);
    }
    const unknown = 'application/ld+json;profile="https://other.example/a,b"';
    expect(await statusOf(record, unknown)).toBe(406);
    expect(await statusOf(record, `${unknown}, application/x-bibtex;q=0.1`)).toBe(200);
    expect(await statusOf(`/api/iiif/record:${id}/manifest`, unknown)).toBe(406);
    expect(await statusOf(record, 'application/json; profile="https://other.example/"')).toBe(200);
    for (const path of ["/api/requests", "/api/users", "/api/vocabularies/languages", `/api/records/${id}/files`])
      expect([path, await statusOf(path, "text/csv")]).toEqual([path, 406]);
  });

  test("IIIF Presentation 3 by its profile, 2 by default (interoperability 37, issue 18)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const header = Buffer.alloc(64);
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(header);
    header.writeUInt32BE(800, 16);
    header.writeUInt32BE(600, 20);
    const id = await givenRecord(alice, { "a b.png": header });
    const context = "http://iiif.io/api/presentation/3/context.json";
    const manifest = `/api/iiif/record:${id}/manifest`;
    const { headers, body } = await alice.get(manifest, accepting(`application/ld+json;profile="${context}"`));
    expect(headers.get("content-type")).toBe(`application/ld+json;profile="${context}"`);
    const canvas = { type: "Canvas", label: { none: ["a b.png"] }, width: 800, height: 600 };
    expect(body).toMatchObject({
      "@context": context,
      id: expect.stringMatching(/\/manifest$/),
      type: "Manifest",
      label: { none: ["Deep sea core"] },
      items: [{ ...canvas, items: [{ type: "AnnotationPage", items: [{ motivation: "painting" }] }] }],
    });
    const [painting] = body.items[0].items[0].items;
    expect(painting.target).toBe(body.items[0].id);
    expect((await alice.get(painting.body.id)).bytes).toEqual(header);
    const second = await alice.get(manifest, accepting("application/ld+json"));
    expect(second.headers.get("content-type")).toBe("application/ld+json");
    expect(second.body["@type"]).toBe("sc:Manifest");
  });
});

test("public archives and their members are open to every origin (interoperability 8, issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const zip = await fixtureBytes("info-zip.zip");
  const id = await givenRecord(alice, { "a.zip": zip });
  const container = `/api/records/${id}/files/a.zip/container`;
  const { entries, directories } = (await alice.get(container)).body;
  const paths = [container, `/api/records/${id}/files-archive`, entries[0].links.content, directories[0].links.content];
  for (const path of paths) {
    const { status, headers } = await api.anonymous.get(path, accepting("*/*"));
    expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 200, "*"]);
    expect((await alice.get(path)).headers.get("access-control-allow-origin")).toBeNull();
  }
  const manifest = await api.anonymous.get(`/api/iiif/record:${id}/manifest`);
  expect(manifest.headers.get("access-control-allow-origin")).toBe("*");
});
