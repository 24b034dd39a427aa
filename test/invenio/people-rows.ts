import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { request } from "node:http";
import { complete } from "../support/fake-invenio/complete.ts";
import type { HttpClient } from "../support/http-client.ts";
import { answered, fieldsOf, givenDraft, givenRecord, idsOf, listed, vendor, withMetadata } from "./row-steps.ts";
import type { FactRow, SiteUnderTest } from "./site-under-test.ts";

const commentOf = (content: string) => ({ payload: { content, format: "html" } });
const submission = ({ community }: SiteUnderTest) => ({ type: "community-submission", receiver: { community } });

async function givenSubmitted(site: SiteUnderTest) {
  const made = await givenDraft(site.ada);
  answered(await site.ada.put(`${made.draft}/review`, submission(site)), 200);
  const { id } = answered(await site.ada.post(`${made.draft}/actions/submit-review`, commentOf("Please")), 202).body;
  return { ...made, request: `/api/requests/${id}` };
}

const actionsOf = async (client: HttpClient, path: string): Promise<string[]> =>
  Object.keys(answered(await client.get(path), 200).body.links.actions).sort();

/** The status of a call whose address is sent as it is. */
const rawStatus = (client: HttpClient, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(client.url);
    const call = request({ port, path, headers: { authorization: client.authorization } });
    call.on("response", (res) => resolve(res.resume().statusCode));
    call.on("error", reject).end();
  });

export const peopleRows: readonly FactRow[] = [
  {
    fact: "F14",
    says: "a dead token is 401 at /api/me alone; elsewhere it reads as a guest and ends in 403",
    holds: async ({ ada }) => {
      equal(typeof answered(await ada.get("/api/me"), 200).body.id, "number");
      const { record } = await givenRecord(ada);
      const dead = ada.withToken("not-a-token");
      answered(await dead.get("/api/me"), 401);
      answered(await dead.get(record), 200);
      const refused = answered(await dead.post("/api/records", complete), 403);
      equal(refused.headers.get("www-authenticate"), null);
      answered(await dead.get("/api/user/records"), 403);
    },
  },
  {
    fact: "F14",
    says: "nobody else reads a draft: 403",
    holds: async ({ ada, eve, guest }) => {
      const { draft } = await givenDraft(ada);
      answered(await eve.get(draft), 403, "Permission denied.");
      answered(await guest.get(draft), 403);
    },
  },
  {
    fact: "F15",
    says: "the vendor type adds ui to records and gives vocabularies in another form",
    holds: async ({ ada }) => {
      const { record } = await givenRecord(ada);
      ok("ui" in answered(await ada.get(record, { headers: { accept: vendor } }), 200).body);
      const entry = "/api/vocabularies/resourcetypes/dataset";
      equal(answered(await ada.get(entry, { headers: { accept: "application/json" } }), 200).body.title.en, "Dataset");
      const other = answered(await ada.get(entry, { headers: { accept: vendor } }), 200).body;
      equal(other.title_l10n, "Dataset");
      ok(!("title" in other));
    },
  },
  {
    fact: "F16",
    says: "raw brackets in a query are 400, encoded ones are read",
    holds: async ({ ada }) => {
      const { id } = await givenDraft(ada);
      const query = "updated:[2020-01-01 TO *]";
      equal(await rawStatus(ada, `/api/user/records?q=${query.replaceAll(" ", "+")}`), 400);
      await listed(ada, `/api/user/records?size=1000&q=${encodeURIComponent(query)}`, (answer) =>
        idsOf(answer).includes(id),
      );
    },
  },
  {
    fact: "F16",
    says: "stock takes any page up to the window of 10,000; past it 400",
    holds: async ({ ada }) => {
      answered(await ada.get("/api/user/records?size=10000"), 200);
      answered(await ada.get("/api/user/records?size=1000&page=11"), 400);
    },
  },
  {
    fact: "F16",
    says: "the limits and Retry-After come with every answer, also with a 200",
    holds: async ({ ada }) => {
      const { headers } = answered(await ada.get("/api/user/records?size=1"), 200);
      for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "retry-after"])
        ok(Number.isFinite(Number.parseInt(headers.get(name) ?? "", 10)), `${name}: ${headers.get(name)}`);
    },
  },
  {
    fact: "F17",
    says: "own records, last changed first; one under edit is one hit, published and a draft",
    holds: async ({ ada }) => {
      const first = await givenRecord(ada, withMetadata({ title: "Listed first" }));
      const second = await givenDraft(ada, withMetadata({ title: "Listed second" }));
      const before = await listed(ada, "/api/user/records?size=100", (answer) => idsOf(answer).includes(second.id));
      equal(before.body.sortBy, "updated-desc");
      answered(await ada.post(`${first.record}/draft`), 201);
      // For a moment the draft and the record may both be listed: their indexes learn of it one after the other.
      const after = await listed(ada, "/api/user/records?size=100", ({ body }) => {
        const hits = body.hits.hits.filter(({ id }: { id: string }) => id === first.id);
        return hits.length === 1 && hits[0].is_draft;
      });
      const hit = after.body.hits.hits.find(({ id }: { id: string }) => id === first.id);
      deepEqual([hit.is_published, hit.is_draft], [true, true]);
    },
  },
  {
    fact: "F17",
    says: "a grant to preview opens the draft at once, and in lists later; one to view opens no draft and no list shows it",
    holds: async ({ ada, eve, ids }) => {
      const [seen, unseen] = [await givenDraft(ada), await givenDraft(ada)];
      const grant = async (record: string, permission: string) => {
        const grants = [{ subject: { type: "user", id: ids.eve }, permission }];
        answered(await ada.post(`${record}/access/grants`, { grants }), 201);
      };
      await grant(unseen.record, "view");
      await grant(seen.record, "preview");
      answered(await eve.get(seen.draft), 200);
      answered(await eve.get(unseen.draft), 403);
      const list = await listed(eve, "/api/user/records?size=100", (answer) => idsOf(answer).includes(seen.id));
      ok(!idsOf(list).includes(unseen.id));
    },
  },
  {
    fact: "F18",
    says: "links: each POST makes one; id and token are the server's; the token opens the draft",
    holds: async ({ ada, guest }) => {
      const { record, draft } = await givenDraft(ada);
      const first = answered(await ada.post(`${record}/access/links`, { permission: "preview" }), 201).body;
      const second = answered(await ada.post(`${record}/access/links`, { permission: "preview" }), 201).body;
      notEqual(first.id, second.id);
      answered(await guest.get(`${draft}?token=${first.token}`), 200);
      answered(await ada.delete(`${record}/access/links/${first.id}`), 204);
      answered(await guest.get(`${draft}?token=${first.token}`), 403);
    },
  },
  {
    fact: "F18",
    says: "a second grant for one person is 400; its id is a place in a list, and the rest move up",
    holds: async ({ ada, ids }) => {
      const { record } = await givenDraft(ada);
      const grant = (id: string) => ({ grants: [{ subject: { type: "user", id }, permission: "edit" }] });
      answered(await ada.post(`${record}/access/grants`, grant(ids.grace)), 201);
      answered(await ada.post(`${record}/access/grants`, grant(ids.grace)), 400);
      answered(await ada.post(`${record}/access/grants`, grant(ids.eve)), 201);
      answered(await ada.delete(`${record}/access/grants/0`), 204);
      equal(answered(await ada.get(`${record}/access/grants/0`), 200).body.subject.id, ids.eve);
      answered(await ada.delete(`${record}/access/users/${ids.eve}`), 204);
      equal(answered(await ada.get(`${record}/access/grants`), 200).body.hits.total, 0);
    },
  },
  {
    fact: "F19",
    says: "PUT review deletes the one that is there; refused once it is submitted; lock is 403",
    holds: async (site) => {
      const { draft } = await givenDraft(site.ada);
      const first = answered(await site.ada.put(`${draft}/review`, submission(site)), 200).body;
      const second = answered(await site.ada.put(`${draft}/review`, submission(site)), 200).body;
      notEqual(first.id, second.id);
      answered(await site.ada.get(`/api/requests/${first.id}`), 404);
      answered(await site.ada.post(`${draft}/actions/submit-review`), 202);
      answered(await site.ada.put(`${draft}/review`, submission(site)), 400);
      answered(await site.ada.get(`/api/requests/${second.id}/lock`), 403);
    },
  },
  {
    fact: "F21",
    says: "another type is 400; while it is open, publish and delete are 400, and the receiver edits",
    holds: async (site) => {
      const { ada, grace, eve } = site;
      const other = await givenDraft(ada);
      const odd = { ...submission(site), type: "unheard" };
      deepEqual(fieldsOf(answered(await ada.put(`${other.draft}/review`, odd), 400)), ["type"]);
      const open = await givenSubmitted(site);
      answered(await ada.post(`${open.draft}/actions/publish`), 400);
      answered(await ada.delete(open.draft), 400);
      answered(await grace.put(open.draft, complete), 200);
      answered(await eve.put(open.draft, complete), 403);
      deepEqual(await actionsOf(ada, open.request), ["cancel"]);
      deepEqual(await actionsOf(grace, open.request), ["accept", "decline"]);
    },
  },
  {
    fact: "F21",
    says: "accepting publishes, whatever If-Match says; a second time is 400",
    holds: async (site) => {
      const { record, draft, request: at } = await givenSubmitted(site);
      const accepted = await site.grace.post(`${at}/actions/accept`, undefined, { headers: { "if-match": "999" } });
      equal(answered(accepted, 200).body.status, "accepted");
      deepEqual(answered(await site.ada.get(record), 200).body.parent.communities.ids, [site.community]);
      answered(await site.ada.get(draft), 404);
      answered(await site.grace.post(`${at}/actions/accept`), 400);
    },
  },
  {
    fact: "F1",
    says: "comments: If-Match counts, each POST makes one, replies from 14, a deleted one is a log line",
    holds: async (site) => {
      const { ada, eve } = site;
      const { request: at } = await givenSubmitted(site);
      const first = answered(await ada.post(`${at}/comments`, commentOf("Said “twice”")), 201).body;
      notEqual(answered(await ada.post(`${at}/comments`, commentOf("Said “twice”")), 201).body.id, first.id);
      equal(first.payload.content, 'Said "twice"');
      const one = `${at}/comments/${first.id}`;
      answered(await ada.put(one, commentOf("x"), { headers: { "if-match": "99" } }), 412);
      answered(await ada.put(one, commentOf("x"), { headers: { "if-match": '"1"' } }), 400);
      const own = { headers: { "if-match": String(first.revision_id) } };
      equal(answered(await ada.put(one, commentOf("x"), own), 200).body.revision_id, first.revision_id + 1);
      equal(answered(await ada.post(`${one}/reply`, commentOf("answer")), 201).body.parent_id, first.id);
      answered(await ada.delete(one), 204);
      await listed(ada, `${at}/timeline`, ({ body }) =>
        body.hits.hits.some(({ id, type }: { id: string; type: string }) => id === first.id && type === "L"),
      );
      answered(await eve.post(`${at}/comments`, commentOf("x")), 403);
    },
  },
  {
    fact: "F23",
    says: "/requests without its slash is 308; /user/requests leaves out those she curates; newestactivity from 14",
    holds: async (site) => {
      const { request: at } = await givenSubmitted(site);
      const id = at.split("/").at(-1) ?? "";
      answered(await site.ada.get("/api/requests"), 308);
      const newest = "/api/requests/?sort=newestactivity&size=100";
      await listed(site.grace, newest, (answer) => idsOf(answer).includes(id));
      await listed(site.ada, "/api/user/requests?sort=newest&size=100", (answer) => idsOf(answer).includes(id));
      ok(!idsOf(await site.grace.get("/api/user/requests?size=100")).includes(id));
      answered(await site.ada.get("/api/requests/?sort=unheard"), 400);
    },
  },
];
