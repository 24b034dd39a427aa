import { type Density, useAppearance } from "../../shell/appearance.ts";
import { storedChoice } from "../../shell/stored-choice.ts";

/** The title is the last to be cut. With all columns it fits from the width on at which the list has columns. */
const titleWidth = "minmax(18rem, 1fr)";

/** Columns of a row beside its title, in the order shown, with their widths. */
const widths = {
  creators: "minmax(0, 12rem)",
  type: "minmax(0, 7rem)",
  date: "minmax(0, 8rem)",
  version: "4.5rem",
  size: "5rem",
  views: "4.5rem",
  updated: "6.5rem",
} as const;
export type Column = keyof typeof widths;
export const columns = Object.keys(widths) as Column[];

const isColumn = (name: string): name is Column => Object.hasOwn(widths, name);
const choice = storedChoice<string>("carrel.columns", "creators,type,updated");

/** The columns that the user chose. */
export function useColumns() {
  const names = choice.use().split(",");
  const shown = columns.filter((column) => names.includes(column));
  return {
    shown,
    /** For `grid-template-columns`: the title first. */
    template: [titleWidth, ...shown.map((column) => widths[column])].join(" "),
    toggle: (column: string) => {
      if (!isColumn(column)) return;
      const next = shown.includes(column) ? shown.filter((one) => one !== column) : [...shown, column];
      choice.set(next.join(","));
    },
  };
}

const rowPx: Record<Density, number> = { comfortable: 36, compact: 28 };

/** Height of a row of one line, in pixels. */
export const useRowPx = (): number => rowPx[useAppearance().density];
