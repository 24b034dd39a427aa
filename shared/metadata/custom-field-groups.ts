import type { Language } from "../kernel/languages.schema.ts";
import words from "./custom-field-words.json" with { type: "json" };
import type { CustomFieldDeclaration, CustomFieldMember } from "./custom-fields.schema.ts";

/** One input: a field, or a member of a field of type `object`. */
export type Leaf = Omit<CustomFieldMember, "name"> & {
  /** The custom field. */
  name: string;
  member?: string;
  type: CustomFieldMember["type"];
  /** Set if another field took its place. */
  superseded_by?: string | undefined;
};

export interface FieldGroup {
  /** The operator's heading, or the namespace of the fields. */
  id: string;
  leaves: Leaf[];
}

function leavesOf(declaration: CustomFieldDeclaration): Leaf[] {
  const { name, type, fields, section: _, ...rest } = declaration;
  if (type !== "object") return [{ ...rest, name, type }];
  return (fields ?? []).map(({ name: member, ...inner }) => ({ ...inner, name, member }));
}

/** The declared fields by section, in the order of the declarations. */
export function groupsOf(declarations: readonly CustomFieldDeclaration[]): FieldGroup[] {
  const groups = new Map<string, Leaf[]>();
  for (const declaration of declarations) {
    const id = declaration.section ?? declaration.name.split(":")[0] ?? "";
    groups.set(id, [...(groups.get(id) ?? []), ...leavesOf(declaration)]);
  }
  return [...groups].map(([id, leaves]) => ({ id, leaves }));
}

/** The value of a field or member. */
export function leafValue(fields: Record<string, unknown>, { name, member }: Pick<Leaf, "name" | "member">): unknown {
  const value = fields[name];
  if (member === undefined) return value;
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[member] : undefined;
}

/** `journal:journal.title`: the name of a field or member in problems, conflicts and comparisons. */
export const leafPath = ({ name, member }: Pick<Leaf, "name" | "member">): string =>
  member === undefined ? name : `${name}.${member}`;

const plain = (name: string): string => {
  const text = name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const wordsIn = (language: Language): { section: Record<string, string>; label: Record<string, string> } =>
  words[language];

/** The name of a field or member: the operator's label, else that of Carrel, else its own name. */
export const leafLabel = (leaf: Leaf, language: Language): string =>
  leaf.label ?? wordsIn(language).label[leafPath(leaf)] ?? plain(leaf.member ?? leaf.name.split(":")[1] ?? leaf.name);

/** The heading of a section. One with a space is the operator's. */
export const groupHeading = ({ id }: FieldGroup, language: Language): string =>
  wordsIn(language).section[id] ?? (id.includes(" ") ? id : plain(id));
