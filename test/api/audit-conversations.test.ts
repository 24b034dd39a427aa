import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { comment, givenSubmitted } from "../support/reviews.ts";

interface Entry {
  action: string;
  user: { username: string } | null;
  metadata: { outcome: string; details: Record<string, unknown> };
}

test("the audit log tells who deleted or renamed something in a conversation, without its text (security 12)", async () => {
  const api = await startApi();
  const { request } = await givenSubmitted(api, "ada", "bob");
  const path = `/api/requests/${request}`;
  const ada = await api.as("ada");
  const id = (await ada.post(`${path}/comments`, comment("Mine"))).body.id;
  const { key } = (await ada.putBytes(`${path}/files/upload/a.txt`, "bytes")).body;
  const [admin, bob] = [await api.as("admin"), await api.as("bob")];
  expect((await admin.delete(`${path}/comments/${id}`)).status).toBe(204);
  expect((await bob.delete(`${path}/files/${key}`)).status).toBe(204);
  expect((await bob.put(path, { title: "Another name" })).status).toBe(200);
  expect((await ada.delete(`${path}/comments/${id}`)).status).toBe(403);
  const entries: Entry[] = (await admin.get(`/api/audit-logs?resource=${request}&sort=oldest`)).body.hits.hits;
  const told = entries.map(({ action, user, metadata }) => `${user?.username} ${action} ${metadata.outcome}`);
  expect(told.slice(-4)).toEqual([
    "admin comment.delete done",
    "bob attachment.delete done",
    "bob request.update done",
    "ada comment.delete refused",
  ]);
  expect(entries.find(({ action }) => action === "comment.delete")?.metadata.details).toEqual({ comment: id });
  expect(JSON.stringify(entries)).not.toMatch(/Mine|Another name|a\.txt/);
});
