import { useTranslation } from "react-i18next";
import { withVisibleCodes } from "../../../../shared/kernel/characters.ts";
import { showFailure } from "../../../components/toast-queue.ts";
import { droppedFiles, type NamedFile } from "./dropped-files.ts";

/**
 * Reads the files of a drop, and names those that cannot be read.
 * @returns undefined if none can be read.
 */
export function useDroppedFiles(): (transfer: DataTransfer) => Promise<NamedFile[] | undefined> {
  const { t } = useTranslation();
  return async (transfer) => {
    const { files, unreadable } = await droppedFiles(transfer);
    const [name] = unreadable;
    if (name === undefined) return files;
    showFailure(new Error(t("files.unreadable", { count: unreadable.length, name: withVisibleCodes(name) })));
    return files.length > 0 ? files : undefined;
  };
}
