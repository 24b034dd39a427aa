import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { guessSeparator, numberColumns, parseTable } from "../../../shared/previews/csv.ts";
import { rowsQuery } from "../../api-client/beginning.ts";
import { blockingError } from "../../api-client/blocking-error.ts";
import { formatBytes, formatCount } from "../../format/amounts.ts";
import { IconButton } from "../button.tsx";
import { Busy, InlineNotice } from "../notice.tsx";
import styles from "./file-preview.module.css";

const rowPx = 26;
const measuredRows = 60;
/** Size of a page. A larger one takes too long to parse at once. */
const pageBytes = 512 * 1024;

/** Column widths from the first rows, in digits. */
function widthsOf(rows: string[][], columns: number): number[] {
  const width = (column: number) => Math.max(...rows.slice(0, measuredRows).map((row) => row[column]?.length ?? 0), 3);
  return Array.from({ length: columns }, (_, column) => Math.min(26, width(column) + 3));
}

/** The beginning of a page: its place in the file, and rows before it. */
interface Page {
  from: number;
  rowsBefore: number;
}

export interface CsvTableProps {
  name: string;
  url: string;
  size: number;
}

/** A CSV table, a page of the file at a time. Only visible rows exist in the document. */
export function CsvTable({ name, url, size }: CsvTableProps) {
  const { t } = useTranslation();
  const [pages, setPages] = useState<Page[]>([{ from: 0, rowsBefore: 0 }]);
  const page = pages.at(-1) ?? { from: 0, rowsBefore: 0 };
  const first = useQuery(rowsQuery(url, size, 0, pageBytes));
  const query = useQuery({
    ...rowsQuery(url, size, page.from, pageBytes, first.data?.encoding),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = query;
  const error = blockingError(query);
  const beginning = first.data?.text;
  const table = useMemo(() => {
    if (data === undefined || beginning === undefined) return undefined;
    const separator = guessSeparator(beginning);
    const { rows, columns, isCut } = parseTable(data.text, separator);
    const head = page.from === 0 ? (rows[0] ?? []) : (parseTable(beginning, separator, 1).rows[0] ?? []);
    return { head, body: page.from === 0 ? rows.slice(1) : rows, columns: Math.max(columns, head.length), isCut };
  }, [data, beginning, page.from]);
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  if (!table || !data) return <Busy />;
  if (data.isBinary) return <p className={styles.note}>{t("preview.none")}</p>;
  const last = page.rowsBefore + table.body.length;
  const isOnePage = page.from === 0 && data.end >= size;
  return (
    <>
      <Rows key={page.from} name={name} {...table} rowsBefore={page.rowsBefore} />
      <div className={styles.bar}>
        {!isOnePage && (
          <>
            <IconButton
              small
              icon={ChevronLeft}
              label={t("preview.previous_rows")}
              isDisabled={pages.length === 1 || isPlaceholderData}
              onPress={() => setPages(pages.slice(0, -1))}
            />
            <IconButton
              small
              icon={ChevronRight}
              label={t("preview.next_rows")}
              isDisabled={data.end >= size || isPlaceholderData}
              onPress={() => setPages([...pages, { from: data.end, rowsBefore: last }])}
            />
          </>
        )}
        <span role="status">
          {isOnePage
            ? t("preview.rows", { count: table.body.length, rows: formatCount(table.body.length) })
            : t("preview.row_range", { first: formatCount(page.rowsBefore + 1), last: formatCount(last) })}
          , {t("preview.columns", { count: table.columns })}
          {!isOnePage &&
            ` · ${t("preview.byte_range", { from: formatBytes(page.from), to: formatBytes(data.end), whole: formatBytes(size) })}`}
        </span>
        {table.isCut && t("preview.too_long")}
      </div>
    </>
  );
}

interface RowsProps {
  name: string;
  head: string[];
  body: string[][];
  columns: number;
  rowsBefore: number;
}

function Rows({ name, head, body, columns, rowsBefore }: RowsProps) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  const widths = useMemo(() => widthsOf([head, ...body.slice(0, measuredRows)], columns), [head, body, columns]);
  const areNumbers = useMemo(() => numberColumns(body, columns), [body, columns]);
  const rows = useVirtualizer({
    count: body.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  const visible = rows.getVirtualItems();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table must be scrollable by keyboard
    <div ref={scroll} className={styles.grid} tabIndex={0}>
      <table aria-label={name} aria-rowcount={body.length + 1}>
        <colgroup>
          <col style={{ width: "8ch" }} />
          {widths.map((width, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name than their place
            <col key={column} style={{ width: `${width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <Cells row={0} index={0} cells={head} areNumbers={areNumbers} label={t("preview.row")} />
        </thead>
        <tbody>
          <Gap px={visible[0]?.start ?? 0} />
          {visible.map(({ index }) => (
            <Cells
              key={index}
              row={rowsBefore + index + 1}
              index={index + 1}
              cells={body[index] ?? []}
              areNumbers={areNumbers}
            />
          ))}
          <Gap px={rows.getTotalSize() - (visible.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  );
}

/** Space for rows that are not in the page. */
const Gap = ({ px }: { px: number }) => (px > 0 ? <tr style={{ height: px }} /> : null);

interface CellsProps {
  /** Number of the row in the file. */
  row: number;
  index: number;
  cells: string[];
  /** Whether each column has numbers. */
  areNumbers: boolean[];
  /** For the header. */
  label?: string;
}

function Cells({ row, index, cells, areNumbers, label }: CellsProps) {
  const Cell = label ? "th" : "td";
  return (
    <tr aria-rowindex={index + 1}>
      <th scope={label ? "col" : "row"}>{label ? <span className="visually-hidden">{label}</span> : row}</th>
      {areNumbers.map((isNumber, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name than their place
        <Cell key={column} title={cells[column]} className={isNumber ? styles.amount : undefined}>
          {cells[column] ?? ""}
        </Cell>
      ))}
    </tr>
  );
}
