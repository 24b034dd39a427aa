import { expect } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import type { Desk, Person } from "./desk.ts";
import { givenOpenDecisions } from "./open-decisions.ts";
import { givenEdited, givenNextVersion, givenReview, givenSample, previewFiles, smallZip } from "./samples.ts";

/** A replica with unsent work whose token was revoked. */
async function givenSignedOut(desk: Desk): Promise<RunningReplica> {
  const noor = await desk.person("noor", "Noor Haddad");
  const host = await desk.replica(noor);
  const near = new HttpClient(host.url, host.guard.secret);
  await near.post("/api/sync/pause");
  await near.post("/api/records", { metadata: { title: "Kept while signed out" }, files: { enabled: false } });
  expect((await noor.server.delete("/api/tokens/current")).status).toBe(204);
  await near.post("/api/sync/resume");
  await expect.poll(async () => (await near.get("/api/sync/status")).body.state).toBe("sign_in");
  return host;
}

/** A request of one user whose reviewer requested changes, and its draft. */
async function givenRequestedChanges(author: Person, reviewer: Person) {
  const draft = await givenSample(author.server, 1, { isPublished: false, title: "Salinity off Longyearbyen" });
  const path = `/api/records/${draft}/draft`;
  const { id } = (await author.server.put(`${path}/review`, { receiver: { user: reviewer.id } })).body;
  await author.server.post(`${path}/actions/submit-review`);
  const payload = { content: "<p>Please say which conductivity cell was used, and since when.</p>", format: "html" };
  const answer = await reviewer.server.post(`/api/requests/${id}/actions/request-changes`, { payload });
  expect(answer.status, answer.text).toBe(200);
  return { returned: String(id), returnedDraft: draft };
}

/** An administrator of the team, and its groups. */
async function givenManager(desk: Desk, karin: Person): Promise<Person> {
  const boss = await desk.person("ruth", "Ruth Okafor", ["superuser-access"]);
  await boss.server.post("/api/groups", { name: "curators", description: "Check drafts before they are published" });
  await boss.server.post("/api/groups", { name: "night-shift" });
  await boss.server.post(`/api/users/${karin.id}/groups`, { groups: ["curators", "administration-moderation"] });
  const kept = { slug: "stations", title: "Stations of the Arctic", query: "station* OR buoy*", group: "curators" };
  await boss.server.post("/api/collections", { ...kept, text: "Buoys, tide gauges and landers north of 70 degrees." });
  await boss.server.post("/api/collections", { slug: "logs", title: "Logbooks", query: "log*", group: "night-shift" });
  return boss;
}

/** The content of the screenshots: users with their replicas, and the ids of the objects shown. */
export async function openScene(desk: Desk) {
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const zip = await smallZip();
  const record = await givenSample(karin.server, 0, { zip });
  for (const index of [1, 2]) await givenSample(karin.server, index);
  const edited = await givenEdited(karin.server);
  const shown = await givenSample(karin.server, 2, { files: previewFiles, title: "Things to look at" });
  const draft = await givenSample(karin.server, 3, { isPublished: false, zip });
  const reviewed = await givenNextVersion(karin.server, zip);
  const request = await givenReview(karin.server, paolo, reviewed);
  const { returned, returnedDraft } = await givenRequestedChanges(karin, paolo);
  const replica = await desk.replica(karin);
  const alone = await desk.replica();
  const boss = await givenManager(desk, karin);
  const removed = await givenSample(karin.server, 1);
  await boss.server.delete(`/api/records/${removed}/delete`, { removal_reason: { id: "test-record" } });
  const managed = await desk.replica(boss);
  const signedOut = await givenSignedOut(desk);
  const damaged = await desk.damaged();
  const troubled = await desk.replica(paolo);
  const disputed = await givenOpenDecisions(paolo, troubled);
  return {
    ...{ karin, replica, alone, managed, signedOut, troubled, damaged },
    ...{ record, removed, edited, shown, draft, reviewed, request, returned, returnedDraft, disputed },
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
