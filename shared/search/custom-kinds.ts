import type { CustomFieldDeclaration } from "../metadata/custom-fields.schema.ts";
import type { FieldKind } from "./language/field.ts";

type ValueType = Exclude<CustomFieldDeclaration["type"], "object">;

const kinds: Record<ValueType, FieldKind | undefined> = {
  text: "text",
  keyword: "keyword",
  edtf: "keyword",
  integer: "number",
  double: "number",
  boolean: "boolean",
  date: "time",
  url: "keyword",
  issn: "keyword",
  isbn: "keyword",
  vocabulary: undefined,
  identifier: undefined,
};

/** How a value of a type is queried, or a key in it. */
function kindWithin(type: ValueType, [key, language, ...deeper]: string[]): FieldKind | undefined {
  if (key === undefined) return kinds[type];
  if (deeper.length > 0) return undefined;
  if (type === "identifier" && (key === "identifier" || key === "scheme") && language === undefined) return "keyword";
  if (type !== "vocabulary") return undefined;
  if (key === "id" && language === undefined) return "keyword";
  return key === "title" && language !== undefined ? "text" : undefined;
}

/** How the fields below `custom_fields.` are queried, by declared type (search 6.1); undefined: not declared. */
export function customKinds(declarations: readonly CustomFieldDeclaration[]): (path: string) => FieldKind | undefined {
  const declared = new Map(
    declarations.flatMap(({ name, type, fields }): [string, ValueType][] =>
      type === "object" ? (fields ?? []).map((member) => [`${name}.${member.name}`, member.type]) : [[name, type]],
    ),
  );
  return (path) => {
    const parts = path.split(".");
    const [name, inner] = [1, 2].map((length) => parts.slice(0, length).join("."));
    const depth = declared.has(name ?? "") ? 1 : 2;
    const type = declared.get((depth === 1 ? name : inner) ?? "");
    return type && kindWithin(type, parts.slice(depth));
  };
}
