import type { UpstreamFacts } from "../../sync/upstream-facts.schema.ts";

const gigabyte = 1_000_000_000;
/** How many files a record may have, as shipped. */
export const maxFiles = 100;

/** The most that Zenodo gives a draft: 50 GB, and 150 GB more for whoever asks. */
const zenodoBytes = 200 * gigabyte;
/** Operators set the limits of other sites, and no call names them: only the site itself refuses a file for its size. */
const unknownBytes = 10_000 * gigabyte;

/** Limits by which drafts and files are judged here. The server's own word wins. */
export function settingsOf(kind: UpstreamFacts["kind"]): Record<string, unknown> {
  const bytes = kind === "zenodo" ? zenodoBytes : unknownBytes;
  return { doi_mint: "on_publish", max_files: maxFiles, max_file_bytes: bytes, max_record_bytes: bytes };
}
