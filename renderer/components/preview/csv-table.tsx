import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../../format/amounts.ts";
import { guessSeparator, parseTable } from "./csv.ts";
import styles from "./file-preview.module.css";

const rowPx = 26;
const measuredRows = 60;

/** Column widths from the first rows, in digits. */
function widthsOf(rows: string[][], columns: number): number[] {
  const width = (column: number) => Math.max(...rows.slice(0, measuredRows).map((row) => row[column]?.length ?? 0), 3);
  return Array.from({ length: columns }, (_, column) => Math.min(26, width(column) + 3));
}

function readTable(text: string, isWhole: boolean) {
  const whole = isWhole ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  const { rows, columns, isCut } = parseTable(whole, guessSeparator(whole));
  const [head = [], ...body] = rows;
  return { head, body, widths: widthsOf(rows, columns), isCut };
}

export interface CsvTableProps {
  name: string;
  text: string;
  isWhole: boolean;
  /** Shown after the number of rows: how much of the file this is, and how to see more. */
  children?: ReactNode;
}

/** A CSV table. Only visible rows exist in the page. */
export function CsvTable({ name, text, isWhole, children }: CsvTableProps) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  const { head, body, widths, isCut } = useMemo(() => readTable(text, isWhole), [text, isWhole]);
  const rows = useVirtualizer({
    count: body.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  const visible = rows.getVirtualItems();
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table must be scrollable by keyboard */}
      <div ref={scroll} className={styles.grid} tabIndex={0}>
        <table aria-label={name} aria-rowcount={body.length + 1}>
          <colgroup>
            <col style={{ width: "6ch" }} />
            {widths.map((width, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name than their place
              <col key={column} style={{ width: `${width}ch` }} />
            ))}
          </colgroup>
          <thead>
            <Cells index={0} cells={head} columns={widths.length} label={t("preview.row")} />
          </thead>
          <tbody>
            <Gap px={visible[0]?.start ?? 0} />
            {visible.map(({ index }) => (
              <Cells key={index} index={index + 1} cells={body[index] ?? []} columns={widths.length} />
            ))}
            <Gap px={rows.getTotalSize() - (visible.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </div>
      <p className={styles.note}>
        {t(isWhole ? "preview.rows" : "preview.first_rows", { count: body.length, rows: formatCount(body.length) })},{" "}
        {t("preview.columns", { count: widths.length })} {children} {isCut && t("preview.too_long")}
      </p>
    </>
  );
}

/** Space for rows that are not in the page. */
const Gap = ({ px }: { px: number }) => (px > 0 ? <tr style={{ height: px }} /> : null);

interface CellsProps {
  index: number;
  cells: string[];
  columns: number;
  /** For the header. */
  label?: string;
}

function Cells({ index, cells, columns, label }: CellsProps) {
  const Cell = label ? "th" : "td";
  return (
    <tr aria-rowindex={index + 1}>
      <th scope={label ? "col" : "row"}>{label ? <span className="visually-hidden">{label}</span> : index}</th>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name than their place
        <Cell key={column} title={cells[column]}>
          {cells[column] ?? ""}
        </Cell>
      ))}
    </tr>
  );
}
