import type { Request, Response } from "express";
import { sendArchive } from "../files/archive.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf } from "../kernel/resource.ts";
import { presented } from "../representations/presented-record.ts";
import { crateFolder, crateMetadataName, roCrateOf } from "../representations/ro-crate.ts";
import { countDownload } from "../usage/count-visit.ts";
import type { UsageService } from "../usage/usage.service.ts";
import type { RecordService } from "./record.service.ts";

interface Needs {
  host: Host;
  records: RecordService;
  usage: UsageService;
}

/**
 * Streams a published record as an RO-Crate: its metadata, then the files that the caller may read. For everybody else,
 * the metadata alone.
 * @param body the JSON body of the record as this caller sees it.
 * @throws Failure 503 on a replica that cannot fetch the files.
 */
export async function sendCrate(
  req: Request,
  res: Response,
  { host, records, usage }: Needs,
  body: Record<string, unknown>,
): Promise<void> {
  const record = presented(body);
  const { id } = record;
  const seesFiles = Object.keys(record.files?.entries ?? {}).length > 0;
  const find = async () => {
    const found = await records.require(host.db, callerOf(req), id, { includesDeleted: true });
    if (seesFiles) records.assertMayReadFiles(found);
  };
  const all = seesFiles ? await records.listEntries(host.db, { kind: "record", id }) : [];
  const entries = all.filter(({ status, hidden }) => status === "completed" && hidden === 0);
  const first = { name: crateMetadataName, text: JSON.stringify(roCrateOf(record, true), null, 2) };
  res.vary("Accept");
  await sendArchive(req, res, host.blobs, { id, first, under: crateFolder, entries, find });
  const sizeBytes = entries.reduce((sum, { size }) => sum + (size ?? 0), 0);
  if (entries.length > 0) countDownload(usage, req, res, { recordId: id, count: entries.length, sizeBytes });
}
