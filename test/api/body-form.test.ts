import { describe, expect, test } from "vitest";
import { isUsualForm, settingsSchema, sharedSettings } from "../../shared/settings/settings.schema.ts";
import { startApi } from "../support/api.ts";
import { addFile, givenDraft, givenRecord } from "../support/files.ts";
import { givenSubmitted } from "../support/reviews.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
const plain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/;
const other = settingsSchema.parse({ links: { files: "absolute" }, timestamps: "iso" });

/** Every string under `links`, and every time, wherever they stand. */
function gather(value: unknown, found = { links: [] as string[], times: [] as string[] }) {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "links") found.links.push(...Object.values(inner as object).filter((one) => typeof one === "string"));
    if (["created", "updated", "expires_at"].includes(key)) found.times.push(inner as string);
    gather(inner, found);
  }
  return found;
}

describe("links and times as the operator sets them (interoperability 5, 34, 49, issue 18)", () => {
  test("the default is the interface document's; other values are refused", () => {
    expect(isUsualForm(settingsSchema.parse({}))).toBe(true);
    expect(settingsSchema.parse({ links: {} }).links.files).toBe("path");
    expect(settingsSchema.safeParse({ links: { files: "relative" } }).success).toBe(false);
    expect(settingsSchema.safeParse({ timestamps: "unix" }).success).toBe(false);
    expect(sharedSettings(other)).not.toHaveProperty("timestamps");
  });

  test("absolute links and ISO times in records, drafts, files, lists and kept answers", async () => {
    const api = await startApi("server", { settings: other });
    const alice = await api.as("alice");
    const words = { title: "2020-01-01 10:00:00.000000" };
    const id = await givenRecord(alice, { "a b.txt": "text" });
    const draft = await givenDraft(alice);
    await addFile(alice, draft, "b.txt", "text");
    const paths = [
      ...[`/api/records/${id}`, `/api/records/${id}`, `/api/records/${id}/files`, `/api/records/${id}/files/a%20b.txt`],
      ...[`/api/records/${draft}/draft`, `/api/records/${draft}/draft/files`, "/api/records", "/api/user/records"],
      `/api/records/${id}/versions`,
    ];
    for (const path of paths) {
      const { links, times } = gather((await alice.get(path)).body);
      expect(links.length, path).toBeGreaterThan(0);
      for (const link of links) expect(link, path).toMatch(/^http/);
      for (const time of times) expect(time, path).toMatch(iso);
    }
    const { content } = (await alice.get(`/api/records/${id}/files/a%20b.txt`)).body.links;
    expect((await api.anonymous.get(content)).text).toBe("text");
    const { body } = await alice.get(`/api/records/${draft}/draft`);
    const saved = await alice.put(`/api/records/${draft}/draft`, { ...body, metadata: { ...body.metadata, ...words } });
    expect([saved.status, saved.body.errors, saved.body.metadata.title]).toEqual([200, undefined, words.title]);
  });

  test("replicas answer their app in the usual form, with what they pass on too", async () => {
    const api = await startApi("replica", { settings: other });
    const alice = await api.as("alice");
    const id = await givenRecord(alice, { "a.txt": "text" });
    for (const path of [`/api/records/${id}`, `/api/records/${id}/files`, "/api/records"]) {
      const { links, times } = gather((await alice.get(path)).body);
      expect(
        links.some((link) => link.startsWith("/api/")),
        path,
      ).toBe(true);
      for (const time of times) expect(time, path).toMatch(plain);
    }
    await api.as("bob");
    const { request } = await givenSubmitted(api, "alice", "bob");
    // Only the server changes a request.
    const changed = await alice.put(`/api/requests/${request}`, { title: "Another title" });
    expect([changed.status, changed.body.title]).toEqual([200, "Another title"]);
    expect(changed.body.updated).toMatch(plain);
  });
});
