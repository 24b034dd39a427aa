import { equal, ok } from "node:assert/strict";
import { fixtureBytes } from "../support/files.ts";
import { until } from "../support/until.ts";
import { answered, fieldsOf, givenDraft, md5, upload, vendor, withFiles } from "./row-steps.ts";
import type { FactRow } from "./site-under-test.ts";

const failed = "File upload transfer failed.";
const parts = (key: string) => [{ key, size: 8, transfer: { type: "M", parts: 2, part_size: 5 } }];

export const fileRows: readonly FactRow[] = [
  {
    fact: "F2",
    says: "init, content and commit move no revision, deleting does; If-Match is ignored",
    holds: async ({ ada }) => {
      const { draft, revision } = await givenDraft(ada, withFiles);
      const headers = { "if-match": "999" };
      const revisionNow = async () => (await ada.get(draft)).body.revision_id;
      answered(await ada.post(`${draft}/files`, [{ key: "a.txt" }], { headers }), 201);
      answered(await ada.putBytes(`${draft}/files/a.txt/content`, "hello", { headers }), 200);
      const done = answered(await ada.post(`${draft}/files/a.txt/commit`, undefined, { headers }), 200);
      equal(done.body.checksum, md5("hello"));
      equal(await revisionNow(), revision);
      answered(await ada.delete(`${draft}/files/a.txt`, undefined, { headers }), 204);
      ok((await revisionNow()) > revision);
    },
  },
  {
    fact: "F8",
    says: "the init of a name that is there is 400",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      answered(await ada.post(`${draft}/files`, [{ key: "a.txt" }]), 201);
      answered(await ada.post(`${draft}/files`, [{ key: "a.txt" }]), 400, "File with key a.txt already exists.");
    },
  },
  {
    fact: "F8",
    says: "a second import is 400 `Please remove all files first.`",
    holds: async ({ ada }) => {
      const { draft, record } = await givenDraft(ada, withFiles);
      await upload(ada, draft, "a.txt", "hello");
      answered(await ada.post(`${draft}/actions/publish`), 202);
      const { id } = answered(await ada.post(`${record}/versions`), 201).body;
      const at = `/api/records/${id}/draft/actions/files-import`;
      equal(answered(await ada.post(at), 201).body.entries[0].checksum, md5("hello"));
      const again = answered(await ada.post(at), 400);
      equal(again.body.errors[0].messages[0], "Please remove all files first.");
    },
  },
  {
    fact: "F10",
    says: "PUT to a completed file answers 200 with errors as a text, and the file is gone",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      await upload(ada, draft, "a.txt", "hello");
      const { body } = answered(await ada.putBytes(`${draft}/files/a.txt/content`, "other"), 200);
      equal(body.status, "completed");
      equal(body.errors, failed);
      answered(await ada.get(`${draft}/files/a.txt`), 404);
    },
  },
  {
    fact: "F10",
    says: "a commit without bytes is 500, so is reading them; after a PUT it works",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      await ada.post(`${draft}/files`, [{ key: "a.txt" }]);
      const file = `${draft}/files/a.txt`;
      answered(await ada.post(`${file}/commit`), 500);
      answered(await ada.get(`${file}/content`), 500);
      answered(await ada.putBytes(`${file}/content`, "whole"), 200);
      const pending = await ada.get(file);
      equal(pending.body.status, "pending");
      ok(!("size" in pending.body), "the size of a pending file shows");
      equal(answered(await ada.post(`${file}/commit`), 200).body.checksum, md5("whole"));
    },
  },
  {
    fact: "F10",
    says: "size and checksum of an init are not checked",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      await ada.post(`${draft}/files`, [{ key: "a.txt", size: 99, checksum: "md5:00" }]);
      answered(await ada.putBytes(`${draft}/files/a.txt/content`, "hello"), 200);
      equal(answered(await ada.post(`${draft}/files/a.txt/commit`), 200).body.checksum, md5("hello"));
    },
  },
  {
    fact: "F10",
    says: "slashes in names work, literal and encoded",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      answered(await ada.post(`${draft}/files`, [{ key: "raw/day 1.txt" }]), 201);
      answered(await ada.putBytes(`${draft}/files/raw%2Fday%201.txt/content`, "x"), 200);
      equal(answered(await ada.post(`${draft}/files/raw/day%201.txt/commit`), 200).body.key, "raw/day 1.txt");
    },
  },
  {
    fact: "F11",
    says: "after a commit of parts the checksum is null or the md5, and the md5 soon",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      answered(await ada.post(`${draft}/files`, parts("m.bin")), 201);
      answered(await ada.putBytes(`${draft}/files/m.bin/content/1`, "12345"), 200);
      answered(await ada.putBytes(`${draft}/files/m.bin/content/2`, "678"), 200);
      const { checksum } = answered(await ada.post(`${draft}/files/m.bin/commit`), 200).body;
      ok(checksum === null || checksum === md5("12345678"), String(checksum));
      await until(
        async () => (await ada.get(`${draft}/files/m.bin`)).body.checksum === md5("12345678"),
        "the md5 is there",
      );
    },
  },
  {
    fact: "F12",
    says: "a part of the wrong length is 200 with errors; a commit with a part missing is 200 completed",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      const made = answered(await ada.post(`${draft}/files`, parts("m.bin")), 201);
      equal(made.body.entries[0].links.parts.length, 2);
      equal(answered(await ada.putBytes(`${draft}/files/m.bin/content/1`, "123"), 200).body.errors, failed);
      equal(answered(await ada.putBytes(`${draft}/files/m.bin/content/3`, "123"), 200).body.errors, failed);
      ok(!("errors" in answered(await ada.putBytes(`${draft}/files/m.bin/content/1`, "12345"), 200).body));
      const { status, size } = answered(await ada.post(`${draft}/files/m.bin/commit`), 200).body;
      equal(status, "completed");
      equal(size, 8);
    },
  },
  {
    fact: "F13",
    says: "Range is off: 200, the whole file, no Accept-Ranges; content answers 304",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      await upload(ada, draft, "a.txt", "0123456789");
      const content = `${draft}/files/a.txt/content`;
      const answer = answered(await ada.get(content, { headers: { range: "bytes=2-4" } }), 200);
      equal(answer.text, "0123456789");
      ok(!answer.headers.has("accept-ranges"));
      answered(await ada.get(content, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } }), 304);
    },
  },
  {
    fact: "F13",
    says: "14 lists a ZIP, as its entry says by a link, and hands out its members, without Range",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      await upload(ada, draft, "z.zip", await fixtureBytes("python.zip"));
      const { body } = answered(await ada.get(`${draft}/files/z.zip/container`), 200);
      const [first] = body.entries;
      equal(typeof first.crc, "number");
      equal(typeof answered(await ada.get(`${draft}/files/z.zip`), 200).body.links.container, "string");
      const member = `${draft}/files/z.zip/container/${first.key}`;
      equal(answered(await ada.get(member, { headers: { range: "bytes=0-1" } }), 200).bytes.length, first.size);
    },
  },
  {
    fact: "F13",
    says: "names without the UTF-8 flag are read as code page 437; a name beyond Latin-1 is listed, its member 500",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      const member = (zip: string, key: string) =>
        ada.get(`${draft}/files/${zip}/container/${key.split("/").map(encodeURIComponent).join("/")}`);
      await upload(ada, draft, "old.zip", await fixtureBytes("cp437.zip"));
      equal(answered(await member("old.zip", "café.txt"), 200).text, "coffee");
      await upload(ada, draft, "mangled.zip", await fixtureBytes("info-zip.zip"));
      const { body } = answered(await ada.get(`${draft}/files/mangled.zip/container`), 200);
      const mangled = body.entries.find(({ key }: { key: string }) => key.includes("├⌐"));
      answered(await member("mangled.zip", mangled.key), 500);
    },
  },
  {
    fact: "F15",
    says: "record files know application/json alone, and a list that names it",
    holds: async ({ ada }) => {
      const { draft, record } = await givenDraft(ada, withFiles);
      await upload(ada, draft, "a.txt", "hello");
      answered(await ada.post(`${draft}/actions/publish`), 202);
      answered(await ada.get(`${record}/files`, { headers: { accept: vendor } }), 406);
      const both = { headers: { accept: `${vendor}, application/json;q=0.9` } };
      equal(answered(await ada.get(`${record}/files`, both), 200).body.entries.length, 1);
    },
  },
  {
    fact: "F20",
    says: "100 files and no more",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      const keys = Array.from({ length: 100 }, (_, at) => ({ key: `${at}.txt` }));
      answered(await ada.post(`${draft}/files`, keys), 201);
      answered(await ada.post(`${draft}/files`, [{ key: "one more" }]), 400);
    },
  },
  {
    fact: "F20",
    says: "stock takes an empty file",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      await ada.post(`${draft}/files`, [{ key: "empty" }]);
      answered(await ada.putBytes(`${draft}/files/empty/content`, ""), 200);
      equal(answered(await ada.post(`${draft}/files/empty/commit`), 200).body.checksum, md5(""));
    },
  },
  {
    fact: "F4",
    says: "a pending file keeps the draft from being published, field files",
    holds: async ({ ada }) => {
      const { draft } = await givenDraft(ada, withFiles);
      await ada.post(`${draft}/files`, [{ key: "a.txt" }]);
      equal(fieldsOf(answered(await ada.post(`${draft}/actions/publish`), 400))[0], "files");
    },
  },
];
