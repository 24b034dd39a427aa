import { invalidField } from "../kernel/failure.ts";

/** A draft body with absent parts told apart from empty ones (records 3.2). */
export interface DraftBody {
  access?: unknown;
  files?: unknown;
  metadata?: unknown;
  custom_fields?: unknown;
  pids?: unknown;
  parent?: unknown;
}

/**
 * The parts of a draft body that count; everything else is ignored, so that an answer may be sent back. No body is `{}`.
 * @throws Failure 400 for JSON that is no object.
 */
export function readDraftBody(body: unknown): DraftBody {
  if (body === undefined) return {};
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidField("_schema", "Invalid input type.");
  }
  const { access, files, metadata, custom_fields, pids, parent } = body as DraftBody;
  return { access, files, metadata, custom_fields, pids, parent };
}
