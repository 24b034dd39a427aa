import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../format/amounts.ts";
import styles from "./usage-table.module.css";

export interface UsageRow {
  key: string;
  label: ReactNode;
  views: number;
  downloads: number;
}

const kinds = ["views", "downloads"] as const;

/** Views and downloads as bars with their numbers. The chart is a table, so screen readers read it as one. */
export function UsageTable({ caption, of, rows }: { caption: string; of: string; rows: UsageRow[] }) {
  const { t } = useTranslation();
  const most = (kind: (typeof kinds)[number]) => Math.max(1, ...rows.map((row) => row[kind]));
  return (
    <table className={styles.usage}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          {kinds.map((kind) => (
            <th key={kind} scope="col">
              {t(`usage.${kind}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.label}</th>
            {kinds.map((kind) => (
              <td key={kind} className={styles.count}>
                {formatCount(row[kind])}
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect className={styles[kind]} width={(100 * row[kind]) / most(kind)} height="6" />
                </svg>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
