import type { CustomFieldDeclaration, CustomFieldMember } from "../../shared/metadata/custom-fields.schema.ts";

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

const isEmpty = (value: unknown) => value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** The fields with another value of a field or member. What is empty is left out. */
export function withLeaf(
  fields: Record<string, unknown>,
  { name, member }: Pick<Leaf, "name" | "member">,
  value: unknown,
): Record<string, unknown> {
  const next = { ...fields };
  const put = (into: Record<string, unknown>, key: string, inner: unknown) => {
    if (isEmpty(inner)) delete into[key];
    else into[key] = inner;
  };
  if (member === undefined) put(next, name, value);
  else {
    const members = { ...((fields[name] ?? {}) as Record<string, unknown>) };
    put(members, member, value);
    put(next, name, Object.keys(members).length === 0 ? undefined : members);
  }
  return next;
}

/** `journal:journal.title`: the name of a field or member in problems, conflicts and comparisons. */
export const leafPath = ({ name, member }: Pick<Leaf, "name" | "member">): string =>
  member === undefined ? name : `${name}.${member}`;
