/** The 1-based page on which the item at an index stands (requests 8). */
export const pageOf = (index: number, size: number): number => (index < 0 ? 1 : Math.floor(index / size) + 1);
