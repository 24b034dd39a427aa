import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { splitPath } from "../../format/names.ts";
import { Button, DownloadLink, IconButton } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { InlineNotice } from "../notice.tsx";
import { FilePreview } from "./file-preview.tsx";
import styles from "./preview-dialog.module.css";

export interface PreviewedFile {
  /** Path with `/`. */
  key: string;
  /** Address of the content. */
  url: string;
  size: number;
  /** Another one with each content. */
  version?: string | undefined;
  /** Address of another file of the same record; undefined if there is none. */
  urlOf?: (path: string) => string | undefined;
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
/** Parts of a preview that use arrow keys themselves. */
const ownArrows = "input, textarea, select, audio, video, [role=radiogroup], [role=application], [tabindex='0']";

export interface PreviewDialogProps {
  files: readonly PreviewedFile[];
  /** Key of the file that is shown. */
  at: string;
  onChange: (key: string) => void;
  onClose: () => void;
}

/** Preview of one of several files. Arrow keys go to the next file, Escape closes and gives the focus back. */
export function PreviewDialog({ files, at, onChange, onClose }: PreviewDialogProps) {
  const { t } = useTranslation();
  const place = files.findIndex(({ key }) => key === at);
  const file = files[place];
  if (!file) return <GoneFile name={splitPath(at).name} onClose={onClose} />;
  const { folder, name } = splitPath(file.key);
  const url = file.version === undefined ? file.url : `${file.url}?version=${file.version}`;
  const go = (step: number) => {
    const next = files[place + step];
    if (next) onChange(next.key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if ((event.target as Element).closest(ownArrows)) return;
    event.preventDefault();
    go(step);
  };
  return (
    <Dialog
      title={name}
      isOpen
      onClose={onClose}
      isLarge
      onKeyDown={onKeyDown}
      actions={
        <>
          {files.length > 1 && (
            <span className={styles.steps}>
              <IconButton
                icon={ChevronLeft}
                label={t("preview.previous_file")}
                isDisabled={place === 0}
                onPress={() => go(-1)}
              />
              <IconButton
                icon={ChevronRight}
                label={t("preview.next_file")}
                isDisabled={place === files.length - 1}
                onPress={() => go(1)}
              />
              <span role="status">{t("preview.file_of", { number: place + 1, count: files.length })}</span>
            </span>
          )}
          <DownloadLink icon={Download} href={`${file.url}?download=1`} name={name}>
            {t("action.download")}
          </DownloadLink>
          <Button onPress={onClose}>{t("action.close")}</Button>
        </>
      }
    >
      {folder && <code className={styles.path}>{file.key}</code>}
      <FilePreview key={url} name={file.key} url={url} size={file.size} urlOf={file.urlOf} />
    </Dialog>
  );
}

/** A file that was removed while its preview is open. */
function GoneFile({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={name}
      isOpen
      onClose={onClose}
      isLarge
      actions={<Button onPress={onClose}>{t("action.close")}</Button>}
    >
      <InlineNotice tone="warn">{t("preview.gone")}</InlineNotice>
    </Dialog>
  );
}
