import type { ReactNode } from "react";
import { type Leaf, leafPath, leafValue } from "../../../shared/metadata/custom-field-groups.ts";
import type { RecordBody, VocabularyRef } from "../../api-client/record-types.ts";
import { useCustomLabels } from "../../components/use-custom-labels.ts";
import { titleText } from "../../format/names.ts";
import { formatEdtf } from "../../format/times.ts";
import type { Beside } from "./beside.ts";
import { External, RelatedLink } from "./outer-link.tsx";
import styles from "./record.module.css";

function shownValue(type: Leaf["type"], value: unknown): ReactNode {
  if (type === "vocabulary") return titleText((value as VocabularyRef).title, (value as VocabularyRef).id);
  if (type === "identifier") return <RelatedLink {...(value as { identifier?: string; scheme?: string })} />;
  const text = String(value);
  if (type === "url") return <External href={text}>{text}</External>;
  return type === "date" || type === "edtf" ? formatEdtf(text) : text;
}

/** Custom fields with a value, a table for each of their sections. */
export function RecordCustom({ record, beside }: { record: RecordBody; beside?: Beside }) {
  const { groups, headingOf, labelOf } = useCustomLabels();
  return groups.map((group) => {
    const rows = group.leaves.flatMap((leaf) => {
      const value = leafValue(record.custom_fields, leaf);
      const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== "");
      return values.length > 0 ? [{ leaf, values }] : [];
    });
    if (rows.length === 0) return null;
    const id = `custom-${group.id}`;
    return (
      <section key={group.id} className={styles.section} aria-labelledby={id}>
        <div className={styles.sectionHead}>
          <h2 id={id}>{headingOf(group)}</h2>
        </div>
        <dl className={styles.facts}>
          {rows.map(({ leaf, values }) => (
            <div key={leafPath(leaf)} style={{ display: "contents" }}>
              <dt>{labelOf(leaf)}</dt>
              <dd className={beside && styles.besides}>
                <div>
                  {values.map((value, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: values of one field, in their order
                    <div key={index}>{shownValue(leaf.type, value)}</div>
                  ))}
                </div>
                {beside?.({ field: `custom_fields.${leafPath(leaf)}` }, labelOf(leaf))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    );
  });
}
