import { Paperclip, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { largestAttachment } from "../../../shared/comments/comment.schema.ts";
import type { KeptFile } from "../../../shared/comments/comment-draft.schema.ts";
import { attachmentBytes, dropAttachment, uploadAttachment } from "../../api-client/attachments.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ProgressBar } from "../../components/progress.tsx";
import { saveBlob, showNotSaved } from "../../components/save-file.ts";
import { showFailure } from "../../components/toast-queue.ts";
import { formatBytes } from "../../format/amounts.ts";
import type { CommentEditor } from "./comment-drafts.ts";
import styles from "./request.module.css";

interface Sending {
  number: number;
  file: File;
  sent: number;
  problem?: string;
}

/** Files of an unsent comment: uploaded, uploading and refused ones. */
export interface Attaching {
  sending: Sending[];
  /** An upload is under way, which the comment would miss. */
  isBusy: boolean;
  add: (files: File[]) => void;
  remove: (file: KeptFile) => void;
  giveUp: (number: number) => void;
}

let count = 0;

/**
 * Uploads files for a comment at once. Removing one that no comment has deletes it.
 * @param standing files of the existing comment, which are removed when the edit is saved.
 */
export function useAttaching(request: string, editor: CommentEditor, standing: KeptFile[] = []): Attaching {
  const { t } = useTranslation();
  const [sending, setSending] = useState<Sending[]>([]);
  const aborts = useRef(new Map<number, AbortController>());
  const editing = useRef(editor);
  editing.current = editor;
  useEffect(() => {
    const running = aborts.current;
    return () => {
      for (const abort of running.values()) abort.abort();
    };
  }, []);
  const put = (number: number, change: Partial<Sending>) =>
    setSending((list) => list.map((one) => (one.number === number ? { ...one, ...change } : one)));
  const giveUp = (number: number) => {
    aborts.current.get(number)?.abort();
    setSending((list) => list.filter((one) => one.number !== number));
  };
  async function send(number: number, file: File) {
    const abort = new AbortController();
    aborts.current.set(number, abort);
    try {
      const calls = { signal: abort.signal, onProgress: (sent: number) => put(number, { sent }) };
      editing.current.addFile(await uploadAttachment(request, file, calls));
      giveUp(number);
    } catch (error) {
      const isAborted = error instanceof DOMException;
      if (error instanceof Error && !isAborted) put(number, { problem: error.message });
    } finally {
      aborts.current.delete(number);
    }
  }
  return {
    sending,
    isBusy: sending.some(({ problem }) => problem === undefined),
    add(files) {
      for (const file of files) {
        const number = ++count;
        const isTooLarge = file.size > largestAttachment;
        const problem = isTooLarge
          ? { problem: t("request.file_too_large", { limit: formatBytes(largestAttachment) }) }
          : {};
        setSending((list) => [...list, { number, file, sent: 0, ...problem }]);
        if (!isTooLarge) void send(number, file);
      }
    },
    remove(file) {
      editing.current.removeFile(file.id);
      if (!standing.some(({ id }) => id === file.id)) dropAttachment(request, file.key).catch(showFailure);
    },
    giveUp,
  };
}

/** Files of an unsent comment with their progress. */
export function AttachingList({ files, attaching }: { files: KeptFile[]; attaching: Attaching }) {
  const { t } = useTranslation();
  if (files.length + attaching.sending.length === 0) return null;
  return (
    <ul className={styles.attachments} aria-label={t("request.attachments")}>
      {files.map((file) => (
        <li key={file.id} className={styles.attachment}>
          <Paperclip size={14} aria-hidden="true" />
          <span className={styles.fileName}>{file.name}</span>
          <span className={styles.size}>{formatBytes(file.size)}</span>
          <IconButton
            small
            icon={X}
            label={t("request.remove_file", { name: file.name })}
            onPress={() => attaching.remove(file)}
          />
        </li>
      ))}
      {attaching.sending.map(({ number, file, sent, problem }) => (
        <li key={number} className={styles.attachment}>
          <Paperclip size={14} aria-hidden="true" />
          <span className={styles.fileName}>{file.name}</span>
          {problem === undefined ? (
            <span className={styles.progress}>
              <ProgressBar
                hideLabel
                label={t("request.attaching", { name: file.name })}
                value={file.size === 0 ? 0 : sent / file.size}
              />
            </span>
          ) : (
            <span className={styles.problem} role="alert">
              {problem}
            </span>
          )}
          <IconButton
            small
            icon={X}
            label={t("request.remove_file", { name: file.name })}
            onPress={() => attaching.giveUp(number)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Chooses files for a comment. Offline they wait on this computer, as the comment does. */
export function AttachButton({ attaching }: { attaching: Attaching }) {
  const { t } = useTranslation();
  return (
    <FileTrigger allowsMultiple onSelect={(files) => attaching.add([...(files ?? [])])}>
      <Button variant="quiet" icon={Paperclip}>
        {t("request.attach")}
      </Button>
    </FileTrigger>
  );
}

/** Files of a comment; pressing one saves a copy. */
export function AttachmentList({ request, files }: { request: string; files: KeptFile[] }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  const save = async ({ key, name }: KeptFile) => saveBlob(await attachmentBytes(request, key), name);
  return (
    <ul className={styles.attachments} aria-label={t("request.attachments")}>
      {files.map((file) => (
        <li key={file.id} className={styles.attachment}>
          <Paperclip size={14} aria-hidden="true" />
          <span className={styles.fileName}>
            <Button
              variant="link"
              small
              onPress={() => void save(file).catch((error) => showNotSaved(error, file.name))}
            >
              {file.name}
            </Button>
          </span>
          <span className={styles.size}>{formatBytes(file.size)}</span>
        </li>
      ))}
    </ul>
  );
}
