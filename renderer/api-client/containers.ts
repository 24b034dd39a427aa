import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { containerListing } from "../../shared/openapi/answers/file.schema.ts";
import { encodePath, get } from "./request.ts";

export type ContainerListing = z.infer<typeof containerListing>;
/** `metadata.error` says why a member is refused (records 11). */
export type ContainerEntry = ContainerListing["entries"][number];
export type ContainerDirectory = ContainerListing["directories"][number];

export const pageSize = 1000;

/** Base URL of an archive's members; drafts have their own (records 11). */
export const containerBase = (kind: "records" | "uploads", id: string, key: string) =>
  `${kind === "records" ? `/api/records/${id}` : `/api/sync/drafts/${id}`}/files/${encodePath(key)}/container`;

export const memberAddress = (base: string, path: string) => (path ? `${base}/${encodePath(path)}` : base);

/** One page of a directory's direct children. */
export const directoryQuery = (base: string, path: string, page: number) =>
  queryOptions({
    queryKey: ["container", base, path, page],
    queryFn: () => get<ContainerListing>(`${memberAddress(base, path)}?depth=1&size=${pageSize}&page=${page}`),
    retry: false,
  });

/** All members whose path contains the text. */
export const memberSearchQuery = (base: string, text: string) =>
  queryOptions({
    queryKey: ["container", base, "?", text],
    queryFn: () => get<ContainerListing>(`${base}?q=${encodeURIComponent(text)}&size=${pageSize}`),
    enabled: text !== "",
    placeholderData: (before) => before,
    retry: false,
  });
