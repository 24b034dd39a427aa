import type { FileEntryRow } from "../database/schema.ts";

/** Widths of the `thumbnails` links, as InvenioRDM and Zenodo have them. */
export const thumbnailWidths = [10, 50, 100, 250, 750, 1200] as const;

/** Names of pictures that can be drawn in other sizes. */
const drawnNames = /\.(?:gif|jpe?g|png|tiff?)$/i;

/** Whether the name of a file is that of a picture which the Image API offers. */
export const isDrawn = (key: string): boolean => drawnNames.test(key);

/** Address of a picture in the Image API, to which region, size, rotation and file are added. */
export const imageAddress = (baseUrl: string, { id, isDraft }: { id: string; isDraft: boolean }, key: string): string =>
  `${baseUrl}/api/iiif/${isDraft ? "draft" : "record"}:${id}:${encodeURIComponent(key)}`;

/** The whole picture, drawn to fit into a box. */
export const fittedAddress = (image: string, width: number, height = width): string =>
  `${image}/full/!${width},${height}/0/default.jpg`;

/** Whether a file is a picture that is here completely. */
export const isPicture = ({ key, status }: Pick<FileEntryRow, "key" | "status">): boolean =>
  status === "completed" && isDrawn(key);

/**
 * The picture that stands for a record: its default preview when that is a picture, else the first picture.
 * @param pictures in the order of the record.
 */
export const coverOf = (pictures: readonly Pick<FileEntryRow, "key">[], preview: string | null): string | undefined =>
  (pictures.find(({ key }) => key === preview) ?? pictures[0])?.key;

/** The `thumbnails` of a record's links: an address for each width. */
export const thumbnailLinks = (image: string): Record<string, string> =>
  Object.fromEntries(thumbnailWidths.map((width) => [String(width), `${image}/full/%5E${width},/0/default.jpg`]));
