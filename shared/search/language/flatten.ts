import { plainTextOf } from "./analysis.ts";
import { instantsOf } from "./date-values.ts";
import type { Catalogue, FieldKind, FieldValue } from "./field.ts";

/** A value of one field of the given kind; undefined when the stored value cannot be of that kind. */
function fieldValue(path: string, kind: FieldKind, value: unknown): FieldValue | undefined {
  switch (kind) {
    case "number":
      return typeof value === "number" ? { path, kind, value } : undefined;
    case "boolean":
      return typeof value === "boolean" ? { path, kind, value } : undefined;
    case "time": {
      const micros = typeof value === "string" ? instantsOf(value, 0)?.first : value;
      return typeof micros === "number" ? { path, kind, value: micros } : undefined;
    }
    case "days":
      return undefined;
    default:
      return value === null || typeof value === "object" ? undefined : { path, kind, value: String(value) };
  }
}

/** How `flatten` treats the leaf at a path: which fields it fills, its own and sub-fields. */
export interface Projection {
  fieldsAt(path: string): { path: string; kind: FieldKind }[];
  /** Whether HTML is reduced to its text (search 4). */
  isHtml(path: string): boolean;
}

/** Takes the leaves that a catalogue names, unchanged. */
export function plainProjection(catalogue: Catalogue, htmlPaths: readonly string[] = []): Projection {
  return {
    isHtml: (path) => htmlPaths.includes(path),
    fieldsAt(path) {
      const kind = catalogue.kindOf(path);
      return kind === undefined ? [] : [{ path, kind }];
    },
  };
}

/** The field values of a JSON document: lists flattened, `null`, `[]` and `{}` no value (search 5.3). */
export function flatten(document: unknown, projection: Projection): FieldValue[] {
  const values: FieldValue[] = [];
  const visit = (value: unknown, path: string): void => {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, path);
    } else if (typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) visit(inner, path === "" ? key : `${path}.${key}`);
    } else {
      const clean = typeof value === "string" && projection.isHtml(path) ? plainTextOf(value) : value;
      for (const field of projection.fieldsAt(path)) {
        const found = fieldValue(field.path, field.kind, clean);
        if (found) values.push(found);
      }
    }
  };
  visit(document, "");
  return values;
}
