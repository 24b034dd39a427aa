import { queryOptions } from "@tanstack/react-query";
import { encodePath, get } from "./request.ts";

export interface ContainerEntry {
  /** Full path inside the archive. */
  key: string;
  size: number;
  compressed_size: number;
  mimetype: string;
  checksum: string;
  metadata?: { error?: string };
}

export interface ContainerDirectory {
  key: string;
  /** Files below it, at any depth. */
  count?: number;
  size?: number;
}

export interface ContainerListing {
  entries: ContainerEntry[];
  directories: ContainerDirectory[];
  total: number;
  truncated: boolean;
  links?: { next?: string };
}

export const pageSize = 1000;

/** Where the members of an archive are; those of a draft are at an address of their own (records 11). */
export const containerBase = (kind: "records" | "uploads", id: string, key: string) =>
  `${kind === "records" ? `/api/records/${id}` : `/api/sync/drafts/${id}`}/files/${encodePath(key)}/container`;

export const memberAddress = (base: string, path: string) => (path ? `${base}/${encodePath(path)}` : base);

/** The direct children of one directory, one page of them. */
export const directoryQuery = (base: string, path: string, page: number) =>
  queryOptions({
    queryKey: ["container", base, path, page],
    queryFn: () => get<ContainerListing>(`${memberAddress(base, path)}?depth=1&size=${pageSize}&page=${page}`),
    retry: false,
  });

/** Every member whose path contains the text. */
export const memberSearchQuery = (base: string, text: string) =>
  queryOptions({
    queryKey: ["container", base, "?", text],
    queryFn: () => get<ContainerListing>(`${base}?q=${encodeURIComponent(text)}&size=${pageSize}`),
    enabled: text !== "",
    placeholderData: (before) => before,
    retry: false,
  });
