import { type FieldGroup, leafPath, leafValue } from "../../../../shared/metadata/custom-field-groups.ts";
import { useCustomLabels } from "../../../components/use-custom-labels.ts";
import { wordsOf } from "../../compare/compare-records.ts";
import { useContentPart } from "../draft-context.ts";
import { FoldedGroup, FoldedGroups } from "../fields/folded-group.tsx";
import styles from "./custom.module.css";
import { CustomInput } from "./custom-input.tsx";

/** The custom fields, one folded group for each of their sections. */
export function CustomSection() {
  const { groups } = useCustomLabels();
  return (
    <FoldedGroups>
      {groups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </FoldedGroups>
  );
}

function Group({ group }: { group: FieldGroup }) {
  const { labelOf, headingOf } = useCustomLabels();
  const [customFields] = useContentPart("custom_fields");
  const leaves = group.leaves.filter(
    (leaf) => leaf.superseded_by === undefined || leafValue(customFields, leaf) !== undefined,
  );
  const filled = leaves.flatMap((leaf) => {
    const words = wordsOf(leafValue(customFields, leaf)).replaceAll("\n", "; ");
    return words ? [words] : [];
  });
  return (
    <FoldedGroup
      heading={headingOf(group)}
      filled={filled}
      hint={leaves.map(labelOf).join(", ")}
      fields={leaves.map((leaf) => `custom_fields.${leafPath(leaf)}`)}
    >
      <div className={styles.fields}>
        {leaves.map((leaf) => (
          <CustomInput key={leafPath(leaf)} leaf={leaf} label={labelOf(leaf)} />
        ))}
      </div>
    </FoldedGroup>
  );
}
