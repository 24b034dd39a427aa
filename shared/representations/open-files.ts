import { archiveOf, type PresentedRecord } from "./presented-record.ts";

interface SentEntry {
  key?: string;
  status?: string;
  mimetype?: string;
  size?: number;
  checksum?: string;
  access?: { hidden?: boolean };
  links?: { content?: string };
}

/** A completed file of a record, as exports name it. */
export interface ListedFile {
  key: string;
  /** Absolute URL of its bytes. */
  address: string;
  /** Without parameters. */
  mediaType: string;
  sizeBytes: number;
  /** Such as `md5:…`. */
  checksum?: string;
}

/** The completed files that the record's body lists: those that its reader may open. */
export function listedFilesOf(record: PresentedRecord): ListedFile[] {
  const archive = archiveOf(record);
  if (archive === undefined) return [];
  return Object.entries((record.files?.entries ?? {}) as Record<string, SentEntry>).flatMap(([key, entry]) => {
    const { status, mimetype, size = 0, checksum, access, links } = entry;
    if (status !== "completed" || access?.hidden || links?.content === undefined) return [];
    const mediaType = mimetype?.split(";")[0]?.trim() || "application/octet-stream";
    const address = new URL(links.content, archive).href;
    return [{ key, address, mediaType, sizeBytes: size, ...(checksum ? { checksum } : {}) }];
  });
}

/** Whether everybody may open the files. */
export const isOpen = ({ access }: PresentedRecord): boolean =>
  access?.record === "public" && access.files === "public";

/** The files that everybody may open, for formats that are kept and passed on. */
export const openFilesOf = (record: PresentedRecord): ListedFile[] => (isOpen(record) ? listedFilesOf(record) : []);
