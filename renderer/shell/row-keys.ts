/** What a row of a list carries, so that keys find it. */
export const rowMark = (key: string) => ({ "data-row": key });

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-row]")];
const isHere = (row: HTMLElement) => row.contains(document.activeElement);

/** The key of the row that has the focus. */
export const rowHere = () => rows().find(isHere)?.dataset.row;

/** Gives the focus to the row above or below the one that has it; without one, to the first. */
export function goToRow(step: 1 | -1) {
  const all = rows();
  const here = all.findIndex(isHere);
  const next = here === -1 ? all[0] : all[here + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
