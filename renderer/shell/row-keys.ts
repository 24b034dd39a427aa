/** Attributes by which keys find a row, and the one that a preview shows. */
export const rowMark = (key: string, isLookedAt = false) => ({
  "data-row": key,
  ...(isLookedAt ? { "data-looked-at": "" } : {}),
});

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-row]")];
const isHere = (row: HTMLElement) => row.contains(document.activeElement);

/** Key of the focused row. */
export const rowHere = () => rows().find(isHere)?.dataset.row;

/** Focuses the row above or below the focused one or the one in the preview, or the first. */
export function goToRow(step: 1 | -1) {
  const all = rows();
  const focused = all.findIndex(isHere);
  const here = focused === -1 ? all.findIndex(({ dataset }) => dataset.lookedAt !== undefined) : focused;
  const next = here === -1 ? all[0] : all[here + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

export const focusRow = (key: string) =>
  rows()
    .find(({ dataset }) => dataset.row === key)
    ?.focus();
