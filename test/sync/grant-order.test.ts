import { expect, test } from "vitest";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft } from "../support/records.ts";
import { replicaOf, synced } from "../support/two-replicas.ts";

const dayMicros = 86_400_000_000;

test("n = position in the list: an unsent grant never moves those that the server has (records 7.3)", async () => {
  const api = await startApi("server");
  const right = machineEnvironment();
  // The server's times are later than the replica's, as they also are while several grants are being sent.
  const ada = await replicaOf(api, "ada", { ...right, now: () => right.now() - dayMicros });
  const id = await givenDraft(ada);
  const grants = `/api/records/${id}/access/grants`;
  const [bob, carol, dan] = [await api.idOf("bob"), await api.idOf("carol"), await api.idOf("dan")];
  const give = async (user: string) =>
    must(await ada.post(grants, { grants: [{ permission: "view", subject: { type: "user", id: user } }] }), 201);
  const listed = async (client: HttpClient) => {
    const { hits } = must(await client.get(grants), 200).body.hits;
    return hits.map(({ subject }: { subject: { id: string } }) => subject.id);
  };
  await give(bob);
  await synced(ada);
  must(await ada.post("/api/sync/pause"), 200);
  await give(carol);
  await give(dan);
  expect(await listed(ada)).toEqual([bob, carol, dan]);
  must(await ada.patch(`${grants}/0`, { permission: "edit" }), 200);
  must(await ada.post("/api/sync/resume"), 200);
  await synced(ada);
  expect(await listed(ada)).toEqual([bob, carol, dan]);
  const onServer = await api.as("ada");
  expect(await listed(onServer)).toEqual([bob, carol, dan]);
  expect(must(await onServer.get(`/api/records/${id}/access/users/${bob}`), 200).body.permission).toBe("edit");
});
