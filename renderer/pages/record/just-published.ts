/** Records that this window has just published. An address or its history could not tell: the way to the page varies. */
const published = new Set<string>();

export const markJustPublished = (id: string) => void published.add(id);
export const isJustPublished = (id: string): boolean => published.has(id);
export const forgetJustPublished = (id: string) => void published.delete(id);
