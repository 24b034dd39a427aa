import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { HttpClient } from "../support/http-client.ts";
import { newReplica, synced } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";
import { type Live, type Person, startLive } from "./live-fixture.ts";

let live: Live;

beforeAll(async () => {
  live = await startLive();
});
afterAll(() => live.close());

async function replicaOf(person: Person): Promise<HttpClient> {
  const replica = await newReplica();
  const client = new HttpClient(replica.url, replica.guard.secret);
  await client.post("/api/sync/connect", { server: live.server.url, token: person.token });
  await synced(client);
  return client;
}

/**
 * Listens as a window does, once the first status was told; answers who was told last, undefined when nobody ever was.
 */
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
    const last = [...text.matchAll(/event: presence\ndata: (.*)\n\n/g)].at(-1)?.[1];
    return last && JSON.parse(last).people.map(({ name, field }: Record<string, string>) => `${name}: ${field}`);
  };
}

test("a window that connects later sees who is present in a draft, also after they left and came back", async () => {
  const [ada, bob] = [await live.givenPerson("ada"), await live.givenPerson("bob")];
  const id = await live.givenDraft(ada);
  await live.grant(id, bob, "edit");
  const [adas, bobs] = [await replicaOf(ada), await replicaOf(bob)];
  const [adaSeat, bobSeat] = [`/api/sync/presence/${id}/adas`, `/api/sync/presence/${id}/bobs`];
  const bobIsThere = ["bob the person: metadata.title"];
  await bobs.put(bobSeat, { field: "metadata.title" });

  const first = await listen(adas);
  await adas.put(adaSeat, { field: null });
  await until(() => first()?.[0] === bobIsThere[0]);
  const later = await listen(adas);
  expect(later()).toEqual(bobIsThere);

  // The connection of the seat that was left ends after the next is taken.
  await adas.delete(adaSeat);
  await adas.put(adaSeat, { field: null });
  await until(() => first()?.[0] === bobIsThere[0]);

  await bobs.delete(bobSeat);
  await until(() => first()?.length === 0 && later()?.length === 0);
});
