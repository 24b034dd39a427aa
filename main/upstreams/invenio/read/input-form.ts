import { canonical, type DraftInput } from "../../../../shared/documents/draft-input.ts";
import { isObject } from "../../../../shared/kernel/json.ts";
import type { TheirRecord } from "./their-record.ts";

/** Keys that their server derives: never compared, never sent. */
const derivedPids = new Set(["oai"]);

/** The content of a draft or record in the form of a PUT: vocabulary values as ids, nothing derived. */
export function inputForm({ metadata, custom_fields, access, pids, files }: TheirRecord): DraftInput {
  const { status: _status, ...ownAccess } = access;
  return canonical({
    metadata,
    custom_fields,
    access: ownAccess,
    pids: Object.fromEntries(Object.entries(pids).filter(([scheme]) => !derivedPids.has(scheme))),
    files: { enabled: files.enabled, default_preview: files.default_preview ?? null, order: files.order },
  });
}

/**
 * The identifiers to send: those of the site, since without them it would drop a reserved DOI. A save removes an external
 * DOI alone.
 * @returns undefined to leave what the site has: an empty object removes all.
 */
function pidsOf({ pids: { doi } }: DraftInput, there: Record<string, unknown>): Record<string, unknown> | undefined {
  if (doi !== undefined) return { ...there, doi };
  const { doi: known, ...others } = there;
  if (isObject(known) && known.provider === "external") return others;
  return Object.keys(there).length === 0 ? undefined : there;
}

/**
 * A whole body for their PUT. `enabled` is always sent, because their default is true.
 * @param site what it has: identifiers, and metadata that only it knows, which goes back as it came
 */
export function bodyOf(
  input: DraftInput,
  site: { pids?: Record<string, unknown>; metadata?: Record<string, unknown> } = {},
): Record<string, unknown> {
  const { custom_fields, access, files } = input;
  const pids = pidsOf(input, site.pids ?? {});
  return {
    metadata: { ...site.metadata, ...input.metadata },
    custom_fields,
    access,
    files: {
      enabled: files.enabled,
      ...(files.default_preview === null ? {} : { default_preview: files.default_preview }),
      order: files.order,
    },
    ...(pids === undefined ? {} : { pids }),
  };
}
