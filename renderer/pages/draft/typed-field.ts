import { apart, type DraftContent } from "./draft-content.ts";

/** The only text field that differs; characters typed into it are undone together. */
export function typedField(before: DraftContent, after: DraftContent): string | undefined {
  const isCustom = before.custom_fields !== after.custom_fields;
  if (isCustom && before.metadata !== after.metadata) return undefined;
  const [old, now] = isCustom
    ? [apart(before.custom_fields), apart(after.custom_fields)]
    : [before.metadata, after.metadata];
  const changed = Object.keys({ ...old, ...now }).filter((key) => old[key] !== now[key]);
  const [key = ""] = changed;
  return changed.length === 1 && typeof (now[key] ?? old[key]) === "string" ? key : undefined;
}
