import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { Busy } from "../../components/notice.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { typeAhead } from "../../components/type-ahead.ts";
import { AttachButton, type Attaching, AttachingList } from "./attachments.tsx";
import type { CommentEditor } from "./comment-drafts.ts";
import { useMentionable } from "./mentionable.ts";
import { isForeign } from "./part.ts";
import styles from "./request.module.css";

/** Whether the content can be sent: it has text and no upload is under way. */
export const isSendable = (editor: CommentEditor, attaching: Attaching) =>
  editor.draft.content !== "" && !attaching.isBusy;

/** Text, files and buttons; Ctrl-Enter sends. */
export function EditorBox({
  request,
  label,
  editor,
  attaching,
  onSubmit,
  isShort = false,
  autoFocus = false,
  children,
}: {
  request: ReviewRequest;
  label: string;
  editor: CommentEditor;
  attaching: Attaching;
  onSubmit: () => void;
  isShort?: boolean;
  autoFocus?: boolean;
  /** Shown next to "Attach". */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { draft } = editor;
  const people = useMentionable(request);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!autoFocus) return;
    return typeAhead(() => box.current?.querySelector<HTMLElement>("[role=textbox]"));
  }, [autoFocus]);
  if (!editor.isReady)
    return (
      <div ref={box}>
        <Busy />
      </div>
    );
  return (
    <div ref={box} className={styles.compose}>
      <RichTextEditor
        label={label}
        hideLabel={isShort}
        short={isShort}
        autoFocus={autoFocus}
        additions={editor.additions}
        people={people}
        value={draft.content}
        onChange={editor.write}
        onSubmit={() => isSendable(editor, attaching) && onSubmit()}
      />
      <AttachingList files={draft.files} attaching={attaching} />
      {draft.files.length > 0 && draft.content === "" && <p className={styles.note}>{t("request.words_needed")}</p>}
      <div className={styles.composeFoot}>
        {children}
        {!isForeign(request) && <AttachButton attaching={attaching} />}
      </div>
    </div>
  );
}
