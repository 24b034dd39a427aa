import type { CustomFieldDeclaration } from "../metadata/custom-fields.schema.ts";
import type { FieldKind } from "./language/field.ts";

const kinds: Record<CustomFieldDeclaration["type"], FieldKind | undefined> = {
  text: "text",
  keyword: "keyword",
  edtf: "keyword",
  integer: "number",
  double: "number",
  boolean: "boolean",
  date: "time",
  vocabulary: undefined,
};

/** How the fields below `custom_fields.` are queried, by declared type (search 6.1); undefined: not declared. */
export function customKinds(declarations: readonly CustomFieldDeclaration[]): (path: string) => FieldKind | undefined {
  const declared = new Map(declarations.map(({ name, type }) => [name, type]));
  return (path) => {
    const [name = "", inner, ...language] = path.split(".");
    const type = declared.get(name);
    if (type === undefined || language.length > 1) return undefined;
    if (inner === undefined) return kinds[type];
    if (type !== "vocabulary") return undefined;
    if (inner === "id" && language.length === 0) return "keyword";
    return inner === "title" && language.length === 1 ? "text" : undefined;
  };
}
