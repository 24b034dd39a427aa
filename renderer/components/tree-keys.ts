export interface TreeKeyRow {
  name: string;
  level: number;
  isFolder: boolean;
  isOpen: boolean;
}

export interface TreeMove {
  index: number;
  does: "go" | "toggle" | "select";
}

const parentOf = (rows: TreeKeyRow[], index: number) => {
  const level = rows[index]?.level ?? 1;
  for (let i = index - 1; i >= 0; i--) if ((rows[i]?.level ?? 1) < level) return i;
  return index;
};

/** The effect of a key in a tree (WAI-ARIA tree pattern); undefined if none. */
export function moveInTree(rows: TreeKeyRow[], current: number, key: string): TreeMove | undefined {
  const row = rows[current];
  const end = rows.length - 1;
  const go = (index: number): TreeMove => ({ index: Math.max(0, Math.min(end, index)), does: "go" });
  if (!row) return undefined;
  if (key === "ArrowDown") return go(current + 1);
  if (key === "ArrowUp") return go(current - 1);
  if (key === "Home") return go(0);
  if (key === "End") return go(end);
  if (key === "PageDown") return go(current + 12);
  if (key === "PageUp") return go(current - 12);
  if (key === "ArrowRight") {
    if (!row.isFolder) return undefined;
    return row.isOpen ? go(current + 1) : { index: current, does: "toggle" };
  }
  if (key === "ArrowLeft") return row.isOpen ? { index: current, does: "toggle" } : go(parentOf(rows, current));
  if (key === "Enter" || key === " ") return { index: current, does: "select" };
  if (key.length !== 1) return undefined;
  const start = key.toLowerCase();
  const order = [...rows.keys()].map((_, i) => (current + 1 + i) % rows.length);
  const found = order.find((i) => rows[i]?.name.toLowerCase().startsWith(start));
  return found === undefined ? undefined : go(found);
}
