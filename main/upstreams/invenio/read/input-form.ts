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
 * A whole body for their PUT. `enabled` is always sent, because their default is true. `pids` are sent as in the shadow:
 * an empty object would drop a reserved DOI. A save removes an external DOI alone. Metadata that only the site knows goes
 * back as it came.
 */
export function bodyOf(
  input: DraftInput,
  { pids = {}, metadata: unknown = {} }: { pids?: Record<string, unknown>; metadata?: Record<string, unknown> } = {},
): Record<string, unknown> {
  const { custom_fields, access, files } = input;
  const { doi: known, ...others } = pids;
  const isRemoved = input.pids.doi === undefined && isObject(known) && known.provider === "external";
  const sent = isRemoved ? others : input.pids.doi === undefined ? pids : { ...pids, doi: input.pids.doi };
  return {
    metadata: { ...unknown, ...input.metadata },
    custom_fields,
    access,
    files: {
      enabled: files.enabled,
      ...(files.default_preview === null ? {} : { default_preview: files.default_preview }),
      order: files.order,
    },
    ...(Object.keys(sent).length === 0 && !isRemoved ? {} : { pids: sent }),
  };
}
