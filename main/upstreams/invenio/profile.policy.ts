import type { UpstreamFacts } from "../../sync/upstream-facts.schema.ts";

const gigabyte = 1_000_000_000;
/** How many files a record may have, as shipped. */
export const maxFiles = 100;

/** Limits by which drafts and files are judged here. The server's own word wins. */
export function settingsOf(kind: UpstreamFacts["kind"]): Record<string, unknown> {
  const common = { doi_mint: "on_publish", max_files: maxFiles };
  if (kind === "zenodo") return { ...common, max_file_bytes: 50 * gigabyte, max_record_bytes: 50 * gigabyte };
  return { ...common, max_file_bytes: 10 * gigabyte, max_record_bytes: 10 * gigabyte };
}
