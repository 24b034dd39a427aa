import type { RecordBody } from "../../api-client/record-types.ts";
import { RichText } from "../../components/rich-text.tsx";
import { titleText } from "../../format/names.ts";
import styles from "./record.module.css";
import { RecordCustom } from "./record-custom.tsx";
import { RecordDetails } from "./record-details.tsx";
import { RecordFiles } from "./record-files.tsx";

/** Descriptions, files and details of a record, or of a draft that is shown as one. */
export function RecordBodyParts({ record }: { record: RecordBody }) {
  const { metadata } = record;
  return (
    <>
      {metadata.description && (
        <section className={styles.section}>
          <RichText html={metadata.description} />
        </section>
      )}
      {(metadata.additional_descriptions ?? []).map(({ description = "", type }) => (
        <section key={`${type?.id}${description}`} className={styles.section}>
          {type && <h2>{titleText(type.title, type.id)}</h2>}
          <RichText html={description} />
        </section>
      ))}
      <RecordFiles record={record} />
      <RecordCustom record={record} />
      <RecordDetails record={record} />
    </>
  );
}
