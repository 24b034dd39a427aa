import { useTranslation } from "react-i18next";
import type { FileEntry } from "../../../api-client/record-types.ts";
import { draftFileContent } from "../../../api-client/records.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FilePreview } from "../../../components/preview/file-preview.tsx";
import { splitPath } from "../../../format/names.ts";

/** Preview of a draft's file. */
export function PreviewDialog({ draftId, entry, onClose }: { draftId: string; entry: FileEntry; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={splitPath(entry.key).name}
      isOpen
      onClose={onClose}
      wide
      actions={<Button onPress={onClose}>{t("action.close")}</Button>}
    >
      <FilePreview name={entry.key} url={draftFileContent(draftId, entry.key)} size={entry.size ?? 0} />
    </Dialog>
  );
}
