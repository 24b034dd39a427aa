import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommentDraft } from "../../../shared/comments/comment-draft.schema.ts";
import { noteReviewed } from "../../api-client/desk.ts";
import { personQuery } from "../../api-client/people.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { addComment } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useSending } from "./comment-drafts.ts";
import { EditorBox, isSendable } from "./editor-box.tsx";
import { focusComposer } from "./focus-composer.ts";
import { maySpeak, partIn } from "./part.ts";
import styles from "./request.module.css";
import type { Writing } from "./request-ask.tsx";

/** The comment editor. Its text is stored until it is sent. */
export function Compose({ request, writing }: { request: ReviewRequest; writing: Writing }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  const [said, setSaid] = useState("");
  const { editor, attaching } = writing;
  const part = partIn(request, person);
  const deliver = async (draft: CommentDraft) => {
    const keep = part.isReviewer ? noteReviewed(request.topic.record) : undefined;
    return { comment: await addComment(request.id, draft), keep };
  };
  const { send, isPending } = useSending(editor, deliver, {
    onSent: ({ comment, keep }) => {
      keep?.().catch(showFailure);
      const words = t(comment.sync && status?.online === false ? "request.said_waiting" : "request.said_sent");
      // Identical text would not be read aloud again.
      setSaid((before) => (before === words ? `${words}\u00a0` : words));
    },
    onFailed: showFailure,
  });
  const press = () => {
    send();
    // The button is disabled until there is text.
    focusComposer();
  };
  return (
    <section className={styles.compose} id="compose" aria-label={t("request.write")}>
      {maySpeak(request, part) && (
        <EditorBox request={request} label={t("request.comment")} editor={editor} attaching={attaching} onSubmit={send}>
          <Button isDisabled={!isSendable(editor, attaching)} isPending={isPending} onPress={press}>
            {t("request.send_comment")}
          </Button>
          {editor.draft.content && <span className={styles.note}>{t("request.kept")}</span>}
        </EditorBox>
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </section>
  );
}
