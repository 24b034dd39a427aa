/** `/` stays in the name of a file of a folder. */
const encoded = (key: string): string => key.split("/").map(encodeURIComponent).join("/");

export const filesPath = (draftId: string): string => `/api/records/${draftId}/draft/files`;
export const filePath = (draftId: string, key: string): string => `${filesPath(draftId)}/${encoded(key)}`;

/** Where the bytes of a file are. */
export const contentPath = (kind: "draft" | "record", id: string, key: string): string =>
  `/api/records/${id}${kind === "draft" ? "/draft" : ""}/files/${encoded(key)}/content`;
