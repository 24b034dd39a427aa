import type { Leaf } from "../../shared/metadata/custom-field-groups.ts";

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
