import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isPostgres } from "../../shared/database/dialect.ts";
import { type Api, startApi } from "../support/api.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { inProcess } from "../support/in-process.ts";
import {
  acted,
  changed,
  expected,
  type Model,
  type Person,
  people,
  type Step,
  verbs,
} from "../support/request-model.ts";
import { comment, publishable } from "../support/reviews.ts";

interface Real {
  draft: string;
  request: string;
  /** Ids of the comments in the order of their creation. */
  comments: string[];
}

let api: Api;
let clients: Record<Person, HttpClient>;

beforeAll(async () => {
  api = await startApi();
  // This test does not depend on the disk, so it does not wait for it.
  const { db } = api.server.host;
  if (!isPostgres(db)) await sql`pragma synchronous = off`.execute(db);
  const made = people.map(async (name) => [name, await inProcess(api, name)] as const);
  clients = Object.fromEntries(await Promise.all(made)) as Record<Person, HttpClient>;
});
afterAll(() => api.close());

async function letExpire(request: string): Promise<Answer> {
  const { host, services } = api.server;
  const submitted = host.db.updateTable("request").where("id", "=", request).where("status", "=", "submitted");
  await submitted.set({ expires_at: 1 }).execute();
  await services.requestActions.expireDue();
  return clients.admin.get(`/api/requests/${request}`);
}

function carryOut(real: Real, { verb, who, says, isStale, at }: Step): Promise<Answer> {
  const client = clients[who];
  const path = `/api/requests/${real.request}`;
  const event = `${path}/comments/${real.comments[at % real.comments.length] ?? real.request}`;
  const options = isStale ? { headers: { "if-match": "999" } } : {};
  if (verb === "read") return client.get(path);
  if (verb === "comment") return client.post(`${path}/comments`, comment(`by ${who}`));
  if (verb === "reply") return client.post(`${event}/reply`, comment(`by ${who}`));
  if (verb === "change") return client.put(event, comment(changed), options);
  if (verb === "erase") return client.delete(event, undefined, options);
  if (verb === "edit") return client.put(path, { title: "edited" }, options);
  if (verb === "delete") return client.delete(path, undefined, options);
  if (verb === "lock" || verb === "unlock") return client.post(`${path}/${verb}`);
  if (verb === "time passes") return letExpire(real.request);
  return client.post(`${path}/actions/${verb}`, says ? comment(acted) : undefined, options);
}

interface Shown {
  id: string;
  type: string;
  revision_id: number;
  payload: { event?: string; content: string };
  children: Shown[];
}

const line = ({ type, payload, revision_id }: Shown): string =>
  `${type} ${type === "C" ? payload.content : payload.event} ${revision_id}`;

async function assertSame(real: Real, model: Model): Promise<void> {
  const path = `/api/requests/${real.request}`;
  const { status, body } = await clients.admin.get(path);
  expect(status).toBe(model.isGone ? 404 : 200);
  if (!model.isGone) {
    expect(body).toMatchObject({
      ...{ status: model.status, revision_id: model.revision, is_locked: model.isLocked },
      changes_requested: model.status === "submitted" && model.changesBy.length > 0,
      ...{ is_open: model.status === "submitted", is_expired: model.status === "expired" },
    });
    const shown: Shown[] = (await clients.admin.get(`${path}/timeline?size=200`)).body.hits.hits;
    const top = model.events.filter(({ parent }) => parent === undefined);
    expect(shown.map(line)).toEqual(top.map(({ line }) => line()));
    // The newest five replies are shown, the newest first.
    const replies = top.map((event) => model.events.filter(({ parent }) => parent === event).slice(-5));
    expect(shown.map((event) => event.children.map(line).reverse())).toEqual(
      replies.map((events) => events.map(({ line }) => line())),
    );
    const live = model.events.filter(({ isLive }) => isLive).at(-1);
    expect(body.last_reply?.payload.content ?? null).toBe(live?.content ?? null);
  }
  expect((await clients.ada.get(`/api/records/${real.draft}/draft/review`)).status).toBe(model.isLinked ? 200 : 404);
  expect((await clients.ada.get(`/api/records/${real.draft}`)).status).toBe(model.isPublished ? 200 : 404);
  const reviewer = model.status === "submitted" ? 200 : model.isPublished ? 404 : 403;
  expect((await clients.bob.get(`/api/records/${real.draft}/draft`)).status).toBe(reviewer);
}

/** Reads ids of comments from the answers, also of comments that came with an action. */
function remember(real: Real, { says }: Step, { status, body }: Answer): void {
  if (status === 201) real.comments.push(body.id);
  else if (status === 200 && says && body.last_reply?.payload.content === acted) {
    if (!real.comments.includes(body.last_reply.id)) real.comments.push(body.last_reply.id);
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  // Submitting is more frequent, because most states come after it.
  verb: fc.constantFrom(...verbs, "submit", "submit", "comment"),
  // Users with permissions are more frequent, too.
  who: fc.constantFrom<Person>(...people, "ada", "bob", "ada", "bob"),
  says: fc.boolean(),
  isStale: fc.nat(9).map((n) => n === 0),
  at: fc.nat(20),
});

const runs = Number(process.env.CARREL_LIFECYCLE_RUNS ?? 200);

test(`any calls by five people end as a small model says (requests 3, 5, 7, 10; ${runs} runs)`, {
  timeout: 300_000 + runs * 1000,
}, async () => {
  const receiver = { user: await api.idOf("bob") };
  let last: { real: Real; model: Model } | undefined;
  /** Reviews an unpublished draft again, a few times: creating a draft takes longer than a whole run. */
  const begin = async (run: number): Promise<Real> => {
    if (last?.model.status === "submitted") await clients.ada.post(`/api/requests/${last.real.request}/actions/cancel`);
    const isFree = last && !last.model.isPublished && run % 20 > 0;
    const draft = isFree ? last?.real.draft : (await clients.ada.post("/api/records", publishable())).body.id;
    const { body } = await clients.ada.put(`/api/records/${draft}/draft/review`, { receiver });
    return { draft: draft ?? "", request: body.id, comments: [] };
  };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
      const real = await begin(run++);
      const model: Model = {
        ...{ status: "draft", revision: 1, isLocked: false, isLinked: true, isPublished: false, isGone: false },
        ...{ events: [], changesBy: [] },
      };
      last = { real, model };
      for (const one of steps) {
        const before = model.status;
        const expectedStatus = expected(model, one, real.comments.length);
        const answer = await carryOut(real, one);
        expect(answer.status, `${one.who}: ${one.verb} while ${before}: ${answer.text}`).toBe(expectedStatus);
        remember(real, one, answer);
      }
      await assertSame(real, model);
    }),
    { numRuns: runs, seed: 20_261_121 },
  );
});
