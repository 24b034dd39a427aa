import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { showFailure } from "../../../components/toast-queue.ts";
import styles from "../draft.module.css";
import { droppedFiles, type NamedFile } from "./dropped-files.ts";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** While files are dragged over the window the whole editor takes them. */
export function DropTarget({ onFiles }: { onFiles: (files: NamedFile[]) => void }) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      droppedFiles(event.dataTransfer).then(onFiles, showFailure);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [onFiles]);
  return isOver ? <div className={styles.drop}>{t("files.drop_now")}</div> : null;
}
