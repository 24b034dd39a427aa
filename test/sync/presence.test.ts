import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { HttpClient } from "../support/http-client.ts";
import { newReplica, settled } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";
import { type Live, type Person, startLive } from "./live-fixture.ts";

let live: Live;

beforeAll(async () => {
  live = await startLive();
});
afterAll(() => live.close());

async function replicaOf(person: Person): Promise<HttpClient> {
  const replica = await newReplica();
  const client = new HttpClient(replica.url, replica.door.secret);
  await client.post("/api/sync/connect", { server: live.server.url, token: person.token });
  await settled(client);
  return client;
}

/** Listens as a window does, once the first status was told; answers who was told last, undefined when nobody ever was. */
async function listen({ url, authorization }: HttpClient): Promise<() => string[] | undefined> {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const headers = { Authorization: authorization };
  const { body } = await fetch(`${url}/api/sync/events`, { headers, signal: ended.signal });
  let text = "";
  const read = async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  read().catch(() => undefined);
  await until(() => text.includes("event: status\n"));
  return () => {
    const told = [...text.matchAll(/event: presence\ndata: (.*)\n\n/g)].at(-1)?.[1];
    return told && JSON.parse(told).people.map(({ name, field }: Record<string, string>) => `${name}: ${field}`);
  };
}

test("a window that connects later sees who is present in a draft, also after they left and came back", async () => {
  const [ada, bob] = [await live.givenPerson("ada"), await live.givenPerson("bob")];
  const id = await live.givenDraft(ada);
  await live.grant(id, bob, "edit");
  const [hers, his] = [await replicaOf(ada), await replicaOf(bob)];
  const [herSeat, hisSeat] = [`/api/sync/presence/${id}/hers`, `/api/sync/presence/${id}/his`];
  const bobIsThere = ["bob the person: metadata.title"];
  await his.put(hisSeat, { field: "metadata.title" });

  const first = await listen(hers);
  await hers.put(herSeat, { field: null });
  await until(() => first()?.[0] === bobIsThere[0]);
  const later = await listen(hers);
  expect(later()).toEqual(bobIsThere);

  // The connection of the seat that was left ends after the next is taken.
  await hers.delete(herSeat);
  await hers.put(herSeat, { field: null });
  await until(() => first()?.[0] === bobIsThere[0]);

  await his.delete(hisSeat);
  await until(() => first()?.length === 0 && later()?.length === 0);
});
