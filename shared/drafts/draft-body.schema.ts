import { invalidField } from "../kernel/failure.ts";

/** A draft body that distinguishes absent parts from empty ones (records 3.2). */
export interface DraftBody {
  access?: unknown;
  files?: unknown;
  metadata?: unknown;
  custom_fields?: unknown;
  pids?: unknown;
  parent?: unknown;
}

/**
 * Reads the known parts of a draft body and ignores the others, so that an answer can be sent back. No body counts as `{}`.
 * @throws Failure 400 for JSON that is not an object.
 */
export function readDraftBody(body: unknown): DraftBody {
  if (body === undefined) return {};
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidField("_schema", "Invalid input type.");
  }
  const { access, files, metadata, custom_fields, pids, parent } = body as DraftBody;
  return { access, files, metadata, custom_fields, pids, parent };
}
