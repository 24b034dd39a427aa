import i18next from "i18next";

/** A browser reads no byte of a file that was changed, moved or deleted since it was chosen. */
class UnreadableFile extends Error {
  constructor() {
    super(i18next.t("failure.file_unreadable"));
  }
}

/** The bytes of a file or of a part of it. @throws UnreadableFile */
export async function bytesOf(file: Blob): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new UnreadableFile();
  }
}
