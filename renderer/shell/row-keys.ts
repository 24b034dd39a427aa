/** Attribute by which keys find a row. */
export const rowMark = (key: string) => ({ "data-row": key });

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-row]")];
const isHere = (row: HTMLElement) => row.contains(document.activeElement);

/** Key of the focused row. */
export const rowHere = () => rows().find(isHere)?.dataset.row;

/** Focuses the row above or below the focused one, or the first. */
export function goToRow(step: 1 | -1) {
  const all = rows();
  const here = all.findIndex(isHere);
  const next = here === -1 ? all[0] : all[here + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
