import { ownDoi, ownProvider, type Pid, type Pids } from "../identifiers/pids.schema.ts";
import { doiMint, type Settings } from "../settings/settings.schema.ts";
import type { ContentColumns } from "./draft-content.service.ts";

/**
 * Why a record has a DOI once it is published, or none: it was reserved or is registered, the depositor brought it, the
 * publication mints it, nobody reserved one, or the record is restricted.
 */
export type DoiSource = "own" | "external" | "on_publish" | "on_request" | "restricted";

/** The DOI that a draft has once it is published (records 5). */
export function publicationDoi(
  id: string,
  { pids, access }: Pick<ContentColumns, "pids" | "access">,
  settings: Settings,
): { doi: Pid | null; source: DoiSource } {
  const { doi }: Pids = JSON.parse(pids);
  if (doi) return { doi, source: doi.provider === ownProvider ? "own" : "external" };
  if (JSON.parse(access).record !== "public") return { doi: null, source: "restricted" };
  const source = doiMint(settings);
  return { doi: source === "on_publish" ? ownDoi(settings.doi_prefix, id) : null, source };
}
