import type { UpstreamFacts } from "../../sync/upstream-facts.schema.ts";

const gigabyte = 1_000_000_000;
/** How many files a record may have on Zenodo. */
const zenodoFiles = 100;

/** The most that Zenodo gives a draft: 50 GB, and 150 GB more for whoever asks. */
const zenodoBytes = 200 * gigabyte;
/** Operators set the limits of other sites, and no call names them: only the site itself refuses a file. */
const unknown = { bytes: 10_000 * gigabyte, files: 10_000 };

/** Limits by which drafts and files are judged here. The server's own word wins. */
export function settingsOf(kind: UpstreamFacts["kind"]): Record<string, unknown> {
  const { bytes, files } = kind === "zenodo" ? { bytes: zenodoBytes, files: zenodoFiles } : unknown;
  return { doi_mint: "on_publish", max_files: files, max_file_bytes: bytes, max_record_bytes: bytes };
}
