import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { comment, givenDraft } from "../support/reviews.ts";

const people = ["ada", "bob", "cleo", "admin", "moderator"] as const;
type Person = (typeof people)[number];

/** What a review is, as far as its lifecycle goes. */
interface Model {
  status: string;
  revision: number;
  isLocked: boolean;
  isLinked: boolean;
  isPublished: boolean;
  log: string[];
}

interface Real {
  clients: Record<Person, HttpClient>;
  draft: string;
  request: string;
}

type Step = { name: string; who: Person; says: boolean };

const isSuper = (who: Person): boolean => who === "admin";
const isClosed = (status: string): boolean => !["draft", "submitted"].includes(status);
const mayRead = ({ status }: Model, who: Person): boolean =>
  who === "ada" || isSuper(who) || (status !== "draft" && (who === "bob" || who === "moderator"));

/** The answer to an action, and what it does to the model. */
function act(model: Model, { name, who, says }: Step): number {
  const right = name === "submit" || name === "cancel" ? "ada" : "bob";
  if (name === "expire" || (who !== right && !isSuper(who))) return 403;
  if (says && model.isLocked && !isSuper(who)) return 403;
  if (isClosed(model.status) || (name === "submit" && model.status !== "draft")) return 400;
  const wasSubmitted = model.status === "submitted";
  model.status = { submit: "submitted", accept: "accepted", decline: "declined", cancel: "cancelled" }[name] ?? "";
  model.revision++;
  if (name !== "submit") model.log.push(`L ${model.status}`);
  if (says) model.log.push("C said");
  if (name === "accept" || name === "cancel") model.isLinked = false;
  if (name === "accept" && wasSubmitted) model.isPublished = true;
  return 200;
}

function lock(model: Model, who: Person, isLocking: boolean): number {
  if (!isSuper(who) && (who !== "bob" || model.status === "draft")) return 403;
  if (model.status === "draft") return 400;
  if (model.isLocked === isLocking) return 403;
  model.isLocked = isLocking;
  model.revision++;
  model.log.push(isLocking ? "L locked" : "L unlocked");
  return 204;
}

function say(model: Model, who: Person): number {
  if (!mayRead(model, who) || (model.isLocked && !isSuper(who))) return 403;
  model.log.push("C said");
  return 201;
}

function edit(model: Model, who: Person): number {
  const may =
    isSuper(who) || (!isClosed(model.status) && (who === "ada" || (who === "bob" && model.status === "submitted")));
  if (!may) return 403;
  model.revision++;
  return 200;
}

function expected(model: Model, step: Step): number {
  if (step.name === "read") return mayRead(model, step.who) ? 200 : 403;
  if (step.name === "comment") return say(model, step.who);
  if (step.name === "edit") return edit(model, step.who);
  if (step.name === "lock" || step.name === "unlock") return lock(model, step.who, step.name === "lock");
  return act(model, step);
}

async function carryOut({ clients, request }: Real, { name, who, says }: Step): Promise<number> {
  const client = clients[who];
  const path = `/api/requests/${request}`;
  if (name === "read") return (await client.get(path)).status;
  if (name === "comment") return (await client.post(`${path}/comments`, comment("said"))).status;
  if (name === "edit") return (await client.put(path, { title: "edited" })).status;
  if (name === "lock" || name === "unlock") return (await client.post(`${path}/${name}`)).status;
  return (await client.post(`${path}/actions/${name}`, says ? comment("said") : undefined)).status;
}

async function assertSame({ clients, draft, request }: Real, model: Model): Promise<void> {
  const { body } = await clients.admin.get(`/api/requests/${request}`);
  expect(body).toMatchObject({
    ...{ status: model.status, revision_id: model.revision, is_locked: model.isLocked },
    ...{ is_open: model.status === "submitted", is_closed: isClosed(model.status), is_expired: false },
  });
  const timeline = (await clients.admin.get(`/api/requests/${request}/timeline?size=200`)).body.hits.hits;
  expect(
    timeline.map((event: { type: string; payload: { event?: string; content: string } }) =>
      event.type === "C" ? `C ${event.payload.content}` : `L ${event.payload.event}`,
    ),
  ).toEqual(model.log);
  const review = await clients.ada.get(`/api/records/${draft}/draft/review`);
  expect(review.status).toBe(model.isLinked ? 200 : 404);
  expect((await clients.ada.get(`/api/records/${draft}`)).status).toBe(model.isPublished ? 200 : 404);
  const isReviewer = model.status === "submitted" ? 200 : model.isPublished ? 404 : 403;
  expect((await clients.bob.get(`/api/records/${draft}/draft`)).status).toBe(isReviewer);
}

const names = ["submit", "accept", "decline", "cancel", "expire", "lock", "unlock", "comment", "edit", "read"];
const step = fc.record({
  name: fc.constantFrom(...names, "submit", "submit"),
  // Those who can do something come up more often.
  who: fc.constantFrom<Person>(...people, "ada", "bob", "ada", "bob"),
  says: fc.boolean(),
});

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const runs = Number(process.env.CARREL_LIFECYCLE_RUNS ?? 120);

test(`any calls by five people end as a small model says (requests 3, 5; ${runs} runs)`, {
  timeout: 600_000,
}, async () => {
  const clients = Object.fromEntries(
    await Promise.all(people.map(async (name) => [name, await api.as(name)])),
  ) as Record<Person, HttpClient>;
  const receiver = { user: await api.idOf("bob") };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const draft = await givenDraft(api, "ada");
      const { body } = await clients.ada.put(`/api/records/${draft}/draft/review`, { receiver });
      const real: Real = { clients, draft, request: body.id };
      const model = { status: "draft", revision: 1, isLocked: false, isLinked: true, isPublished: false, log: [] };
      for (const one of steps) {
        const told = expected(model, one);
        expect(await carryOut(real, one), `${one.who} ${one.name} while ${model.status}`).toBe(told);
      }
      await assertSame(real, model);
    }),
    { numRuns: runs, seed: 20_261_121 },
  );
});
