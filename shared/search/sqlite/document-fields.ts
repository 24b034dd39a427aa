import { longSliceMs, Slices } from "../../kernel/time-slice.ts";
import type { FieldValue } from "../language/field.ts";
import { recordFields } from "../record-fields.ts";

const itemsAtOnce = 1000;

/** A document in parts, in its order: each field of its metadata alone, and long lists in pieces. */
function* partsOf(document: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [key, value] of Object.entries(document)) {
    if (key !== "metadata") yield { [key]: value };
    else for (const [name, field] of Object.entries(value ?? {})) yield* piecesOf(name, field);
  }
}

function* piecesOf(name: string, value: unknown): Generator<Record<string, unknown>> {
  if (!Array.isArray(value)) yield { metadata: { [name]: value } };
  else {
    for (let at = 0; at < value.length; at += itemsAtOnce) {
      yield { metadata: { [name]: value.slice(at, at + itemsAtOnce) } };
    }
  }
}

/** As `recordFields`; yields to the event loop during long lists. */
export async function documentFields(document: Record<string, unknown>): Promise<FieldValue[]> {
  const slices = new Slices(longSliceMs);
  const found: FieldValue[][] = [];
  for (const part of partsOf(document)) {
    found.push(recordFields(part));
    await slices.next();
  }
  return found.flat();
}
