import { expect } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import type { Person } from "./desk.ts";
import { givenSample } from "./samples.ts";

/** The two titles of the draft with conflicts. */
export const [mine, theirs] = ["Spectra of mosses under lamps", "Bryophytes, a catalogue of reflectance"];

/**
 * Creates work that needs a decision: conflicts in four fields, and a publication rejected because the draft had
 * changed.
 */
export async function givenOpenDecisions(person: Person, host: RunningReplica): Promise<string> {
  const near = new HttpClient(host.url, host.guard.secret);
  const [disputed, refused] = [
    await givenSample(person.server, 1, { isPublished: false }),
    await givenSample(person.server, 2, { isPublished: false }),
  ];
  const path = (id: string) => `/api/records/${id}/draft`;
  const waitForState = async (state: string) => {
    await near.post("/api/sync/run");
    await expect.poll(async () => (await near.get("/api/sync/status")).body.state).toBe(state);
  };
  // The first status may still describe the state before.
  for (const id of [disputed, refused]) {
    await near.post("/api/sync/run");
    await expect.poll(async () => (await near.get(path(id))).status).toBe(200);
  }
  await waitForState("up_to_date");
  await near.post("/api/sync/pause");
  const { metadata } = (await near.get(path(disputed))).body;
  const here = { title: mine, publication_date: "2024-06-01", version: "2", publisher: "Moss Press" };
  const there = { title: theirs, publication_date: "2025", version: "1.1", publisher: "Institute of Bryology" };
  await near.put(path(disputed), { metadata: { ...metadata, ...here } });
  await person.server.put(path(disputed), { metadata: { ...metadata, ...there } });
  await near.post(`${path(refused)}/actions/publish`);
  const other = (await person.server.get(path(refused))).body.metadata;
  await person.server.put(path(refused), { metadata: { ...other, title: "Segmentation masks, corrected" } });
  await near.post("/api/sync/resume");
  await waitForState("needs_you");
  return disputed;
}
