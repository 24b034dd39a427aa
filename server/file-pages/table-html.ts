import { numberColumns } from "../../shared/previews/csv.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Words } from "../pages/words.ts";

export const tableRows = 100;
const tableColumns = 50;

export interface ShownTable {
  head: readonly string[];
  body: readonly (readonly string[])[];
  /** How many columns the longest row has. */
  columns: number;
  /** The file has more rows. */
  isCut: boolean;
}

/** A table that scrolls within the page. */
export function tableHtml(words: Words, { head, body, columns, isCut }: ShownTable): Html {
  const shown = Math.min(columns, tableColumns);
  const isNumber = numberColumns(body, shown);
  const cells = (row: readonly string[], tag: "td" | "th") =>
    Array.from({ length: shown }, (_, column) => {
      const attributes = `${tag === "th" ? ' scope="col"' : ""}${isNumber[column] ? ' class="number-cell"' : ""}`;
      return html`${{ html: `<${tag}${attributes}>` }}${row[column] ?? ""}${{ html: `</${tag}>` }}`;
    });
  return html`${isCut ? html`<p class="meta">${words.preview.firstRows(body.length)}</p>` : nothing}<div class="scroll" tabindex="0" role="region" aria-label="${words.preview.table}"><table><thead><tr>${cells(
    head,
    "th",
  )}</tr></thead><tbody>${body.map((row) => html`<tr>${cells(row, "td")}</tr>`)}</tbody></table></div>${
    columns > shown ? html`<p class="meta">${words.preview.firstColumns(shown, columns)}</p>` : nothing
  }`;
}
