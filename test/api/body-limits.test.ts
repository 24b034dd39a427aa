import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { givenDraft, metadata } from "../support/records.ts";

const kib = 1024;
const json = { headers: { "content-type": "application/json" } };
const bodyOf = (bytes: number): string => `{"a":"${"x".repeat(bytes - 8)}"}`;

describe("who is not known sends small bodies only (security 6)", () => {
  test("an anonymous caller is refused above 16 KiB, wherever they send it", async () => {
    const { anonymous } = await startApi();
    for (const path of ["/api/records", "/api/requests/1/comments", "/api/sync/push", "/api/groups"]) {
      const refused = await anonymous.post(path, bodyOf(17 * kib), json);
      expect(refused.body, path).toEqual({ status: 413, message: "The request body is larger than 16 KiB." });
      expect((await anonymous.post(path, bodyOf(15 * kib), json)).status, path).not.toBe(413);
    }
  });

  test("calls that bring credentials are refused above 8 KiB, whoever sends them", async () => {
    const api = await startApi();
    const ada = await api.as("ada");
    for (const path of ["/api/login", "/api/tokens", "/api/change-password"])
      for (const client of [ada, api.anonymous]) {
        const refused = await client.post(path, bodyOf(9 * kib), json);
        expect(refused.body, path).toEqual({ status: 413, message: "The request body is larger than 8 KiB." });
      }
  });

  test("a guest with an access link may send a draft of up to 1 MiB (records 7.2)", async () => {
    const api = await startApi();
    const ada = await api.as("ada");
    const id = await givenDraft(ada, { metadata });
    const { body: link } = await ada.post(`/api/records/${id}/access/links`, { permission: "edit" });
    const path = `/api/records/${id}/draft?token=${link.token}`;
    const sent = { metadata: { ...metadata, description: "x".repeat(60 * kib) } };
    expect((await api.anonymous.put(path, sent)).status).toBe(200);
    expect((await api.anonymous.put(path, bodyOf(1025 * kib), json)).status).toBe(413);
  });

  test("a person may send 10 MiB, many at a time: each is answered", async () => {
    const ada = await (await startApi()).as("ada");
    const bodies = Array.from({ length: 8 }, () => ada.post("/api/records", bodyOf(10 * kib * kib), json));
    for (const { status } of await Promise.all(bodies)) expect(status).toBe(201);
  });

  test("JSON of too many values is refused by that name, not as unreadable", async () => {
    const ada = await (await startApi()).as("ada");
    const refused = await ada.post("/api/records", `{"a":[${"1,".repeat(250_001)}1]}`, json);
    expect(refused.body).toEqual({ status: 413, message: "The JSON has more than 250000 values." });
  });

  test("an edit of a draft with as many values as a body may have can be pushed (hosts-and-sync 6)", async () => {
    const ada = await (await startApi()).as("ada");
    const id = await givenDraft(ada, { metadata });
    const values = Array.from({ length: 120_000 }, (_, at) => [at]);
    const changes = [{ path: ["metadata", "subjects"], before: values, after: values }];
    const payload = { id, epoch: 0, update: "AAA=", changes };
    const operations = [{ id: randomUUID(), kind: "draft.edit", version: 1, payload }];
    const pushed = await ada.post("/api/sync/push", { operations });
    expect(pushed.status, pushed.text).toBe(200);
    expect(pushed.body.outcomes).toHaveLength(1);
  });
});
