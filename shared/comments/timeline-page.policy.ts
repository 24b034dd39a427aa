/** The 1-based page that contains the item at an index (requests 8). */
export const pageOf = (index: number, size: number): number => (index < 0 ? 1 : Math.floor(index / size) + 1);
