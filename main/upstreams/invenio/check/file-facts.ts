import { createHash } from "node:crypto";
import { type Fact, statusesAre, type Trial } from "./fact.ts";

const bytes = "hour,height\n0,1.2\n";
const md5 = `md5:${createHash("md5").update(bytes).digest("hex")}`;

const pathOf = ({ draft }: Trial, key: string): string => `${draft}/files/${encodeURIComponent(key)}`;
const init = ({ call, draft }: Trial, key: string, more: object = {}) =>
  call("POST", `${draft}/files`, { json: [{ key, ...more }] });

/** Uploads a small file, and returns the answer to its commit. */
async function upload(trial: Trial, key: string) {
  await init(trial, key);
  await trial.call("PUT", `${pathOf(trial, key)}/content`, { bytes });
  return trial.call("POST", `${pathOf(trial, key)}/commit`);
}

/** Facts about the files of a draft. Each uses a file of its own. */
export const fileFacts: readonly Fact[] = [
  {
    number: "F11",
    says: "a committed file has its MD5 as checksum",
    async try(trial) {
      const checksum = (await upload(trial, "whole.csv")).body?.checksum;
      return checksum === md5 ? undefined : `the checksum is ${JSON.stringify(checksum)}`;
    },
  },
  {
    number: "F10",
    says: "a commit without bytes is 500, and the entry stays pending",
    async try(trial) {
      await init(trial, "empty.csv");
      const commit = await trial.call("POST", `${pathOf(trial, "empty.csv")}/commit`);
      const { body } = await trial.call("GET", pathOf(trial, "empty.csv"));
      return statusesAre([[commit, 500]]) ?? (body?.status === "pending" ? undefined : `its status is ${body?.status}`);
    },
  },
  {
    number: "F10",
    says: "a PUT to a completed file answers 200, and the file is gone",
    async try(trial) {
      await upload(trial, "again.csv");
      const again = await trial.call("PUT", `${pathOf(trial, "again.csv")}/content`, { bytes });
      const present = await trial.call("GET", pathOf(trial, "again.csv"));
      return statusesAre([
        [again, 200],
        [present, 404],
      ]);
    },
  },
  {
    number: "F10",
    says: "a name may have a slash",
    async try(trial) {
      const { status, body } = await upload(trial, "folder/inside.csv");
      return status === 200 && body?.key === "folder/inside.csv" ? undefined : `the commit answered ${status}`;
    },
  },
  {
    number: "F12",
    says: "parts of transfer `M` are taken",
    async try(trial) {
      const transfer = { type: "M", parts: 1, part_size: bytes.length };
      const begun = await init(trial, "parts.csv", { size: bytes.length, transfer });
      const entries = (begun.body?.entries ?? []) as { key?: string; links?: { parts?: { url?: string }[] } }[];
      const url = entries.find(({ key }) => key === "parts.csv")?.links?.parts?.[0]?.url;
      if (url === undefined) return `the server offers no parts (${begun.status})`;
      const path = new URL(url).pathname + new URL(url).search;
      const { status } = await trial.call("PUT", path, { bytes });
      return status === 200 ? undefined : `the first part is ${status}`;
    },
  },
  {
    number: "F13",
    says: "Range is ignored: 200 and the whole file",
    async try(trial) {
      await upload(trial, "range.csv");
      const path = `${pathOf(trial, "range.csv")}/content`;
      const { status } = await trial.call("GET", path, { headers: { range: "bytes=0-3", accept: "*/*" } });
      return status === 200 ? undefined : `answered ${status}`;
    },
  },
];
