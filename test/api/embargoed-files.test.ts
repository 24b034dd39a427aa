import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { addFile, must } from "../support/files.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";

const embargo = { active: true, until: "2999-01-01", reason: "patent" };
/** What a script sends that takes `files` for what is public after the embargo. */
const access = { record: "public", files: "public", embargo };
const closed = { record: "public", files: "restricted", embargo, status: "embargoed" };

describe.each(roles)("the files of a draft on the %s", (role) => {
  test("an active embargo closes the files, whatever `files` says: public only from `until` on (records 7.1)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice, { metadata, access, files: { enabled: true } });
    await addFile(alice, id, "a.txt", "a");
    const path = `/api/records/${id}`;
    const { body } = must(await alice.put(`${path}/draft`, { metadata, access }), 200);
    expect([body.access, body.errors]).toEqual([closed, undefined]);
    await publish(alice, id);
    expect((await api.anonymous.get(path)).body.access).toEqual(closed);
    expect((await api.anonymous.get(`${path}/files/a.txt/content`)).status).toBe(403);
    expect((await api.anonymous.get(`${path}/files`)).status).toBe(403);
  });

  test("without an embargo, or with one that cannot be, `files` is as sent (records 7.1)", async () => {
    const alice = await (await startApi(role)).as("alice");
    const sent = async (other: object) => {
      const { body } = must(await alice.post("/api/records", { metadata, access: { ...access, embargo: other } }), 201);
      return [body.access.files, body.errors?.[0].field];
    };
    expect(await sent({ active: false })).toEqual(["public", undefined]);
    expect(await sent({ active: true, until: "2020-01-01" })).toEqual(["public", "access.embargo.until"]);
    expect(await sent({ active: true })).toEqual(["public", "access.embargo.until"]);
  });
});
