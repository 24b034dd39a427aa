import type { CustomFieldDeclaration } from "../metadata/custom-fields.schema.ts";
import { customKinds } from "./custom-kinds.ts";
import type { Catalogue } from "./language/field.ts";
import { recordCatalogue } from "./record-fields.ts";

const catalogues = new Map<string, Catalogue>();

/** The fields of records with those that the operator declares; the same object for the same declarations. */
export function declaredCatalogue(declarations: readonly CustomFieldDeclaration[]): Catalogue {
  const key = JSON.stringify(declarations);
  const catalogue = catalogues.get(key) ?? recordCatalogue(customKinds(declarations));
  if (catalogues.size > 100) catalogues.clear();
  catalogues.set(key, catalogue);
  return catalogue;
}
