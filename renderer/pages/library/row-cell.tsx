import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { MarkedText } from "../../components/marked-text.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";
import type { Marker } from "../../format/marks.ts";
import { titleText } from "../../format/names.ts";
import { formatAgo, formatEdtf } from "../../format/times.ts";
import type { Column } from "./columns.ts";
import { creatorsLine } from "./found-in.ts";
import styles from "./library-row.module.css";

interface RowCellProps {
  column: Column;
  record: RecordBody;
  marker: Marker;
}

/** One column of a row. */
export function RowCell({ column, record, marker }: RowCellProps) {
  return <span className={`${styles.cell} ${styles[column] ?? ""}`}>{useContent({ column, record, marker })}</span>;
}

function useContent({ column, record, marker }: RowCellProps) {
  const { t } = useTranslation();
  const { metadata, versions, files, stats } = record;
  switch (column) {
    case "creators": {
      const parts = marker.parts(creatorsLine(record, marker), "metadata.creators.person_or_org.name");
      return parts.length > 0 ? <MarkedText parts={parts} /> : t("library.no_creators");
    }
    case "type":
      return metadata.resource_type && titleText(metadata.resource_type.title, metadata.resource_type.id);
    case "date":
      return metadata.publication_date && formatEdtf(metadata.publication_date);
    case "version":
      return versions.index > 1 && t("library.version", { index: versions.index });
    case "size":
      return Boolean(files.total_bytes) && formatBytes(files.total_bytes ?? 0);
    case "views":
      return stats && formatCount(stats.this_version.views ?? 0);
    case "updated":
      return formatAgo(record.updated);
  }
}
