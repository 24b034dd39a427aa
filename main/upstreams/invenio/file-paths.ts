import { Failure } from "../../../shared/kernel/failure.ts";

/**
 * Whether a name keeps its place in an address. Other people choose names on the server. Addresses drop the parts `.` and
 * `..`, so `../../draft` would name the whole draft. Some proxies also drop empty parts.
 */
const isAddressable = (key: string): boolean =>
  key.isWellFormed() && key.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** `/` stays in the name of a file of a folder. @throws Failure 400 for a name that would lead to something else */
function encoded(key: string): string {
  if (isAddressable(key)) return key.split("/").map(encodeURIComponent).join("/");
  throw new Failure("invalid", `The name “${key}” does not fit into an address. Change this file on the web site.`);
}

export const filesPath = (draftId: string): string => `/api/records/${draftId}/draft/files`;
export const filePath = (draftId: string, key: string): string => `${filesPath(draftId)}/${encoded(key)}`;

interface FilePlace {
  owner_kind: "draft" | "record";
  owner_id: string;
  key: string;
}

export const entryPath = ({ owner_kind, owner_id, key }: FilePlace): string =>
  `/api/records/${owner_id}${owner_kind === "draft" ? "/draft" : ""}/files/${encoded(key)}`;
/** Where the bytes of a file are. */
export const contentPath = (place: FilePlace): string => `${entryPath(place)}/content`;
/** Where a file of an archive is. */
export const memberPath = (place: FilePlace, member: string): string =>
  `${entryPath(place)}/container/${encoded(member)}`;
