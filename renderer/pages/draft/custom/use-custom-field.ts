import { type Leaf, leafPath, leafValue } from "../../../../shared/metadata/custom-field-groups.ts";
import { withLeaf } from "../../../format/custom-fields.ts";
import { useDraftPart, useDraftSession, useReported, useShownProblems } from "../draft-context.ts";

/** The value of a custom field or of one of its members, its setter, and its problem once the user has left it. */
export function useCustomField(leaf: Leaf) {
  const session = useDraftSession();
  const { isShown, touch } = useShownProblems();
  const field = `custom_fields.${leafPath(leaf)}`;
  return {
    value: useDraftPart(({ content }) => leafValue(content.custom_fields, leaf)),
    problem: useReported(field, isShown(field)),
    onBlur: () => touch(field),
    set: (value: unknown) => {
      const now = session.current().content;
      session.change({ ...now, custom_fields: withLeaf(now.custom_fields, leaf, value) });
    },
  };
}
