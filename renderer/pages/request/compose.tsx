import { useQuery } from "@tanstack/react-query";
import { Check, type LucideIcon, PencilLine, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keepReviewed } from "../../api-client/desk.ts";
import { personQuery } from "../../api-client/people.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { addComment, type RequestAction } from "../../api-client/requests.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { wordsOf } from "./action-words.ts";
import { useAttaching } from "./attachments.tsx";
import { type CommentEditor, useSending } from "./comment-drafts.ts";
import { DecisionDialog } from "./decision-dialog.tsx";
import { EditorBox, isSendable } from "./editor-box.tsx";
import { focusComposer } from "./focus-composer.ts";
import { actionsFor, maySpeak, partIn } from "./part.ts";
import styles from "./request.module.css";

const looks = {
  ...({ accept: "primary", submit: "primary", "request-review": "primary" } as const),
  ...({ decline: "danger", cancel: "secondary", "request-changes": "secondary" } as const),
};
const icons: Partial<Record<RequestAction, LucideIcon>> = {
  ...{ decline: X, cancel: X, "request-changes": PencilLine },
};

/** The comment editor with the decisions. Its text is stored until it is sent. */
export function Compose({ request, editor }: { request: ReviewRequest; editor: CommentEditor }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  const [asked, setAsked] = useState<RequestAction | null>(null);
  const [said, setSaid] = useState("");
  const attaching = useAttaching(request.id, editor);
  const part = partIn(request, person);
  const { send, isPending } = useSending(editor, (draft) => addComment(request.id, draft), {
    onSent: (comment) => {
      if (part.isReviewer) keepReviewed(request.topic.record).catch(showFailure);
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
  const isOpen = maySpeak(request, part);
  const decisions = actionsFor(request, part).map((action) => (
    <Button key={action} variant={looks[action]} icon={icons[action] ?? Check} onPress={() => setAsked(action)}>
      {t(wordsOf(request, "action", action))}
    </Button>
  ));
  return (
    <section className={styles.compose} id="compose" aria-label={t("request.write")}>
      {isOpen ? (
        <EditorBox
          label={t("request.comment")}
          editor={editor}
          attaching={attaching}
          onSubmit={send}
          aside={decisions.length > 0 && decisions}
        >
          <Button isDisabled={!isSendable(editor, attaching)} isPending={isPending} onPress={press}>
            {t("request.send_comment")}
          </Button>
          {editor.draft.content && <span className={styles.note}>{t("request.kept")}</span>}
        </EditorBox>
      ) : (
        decisions.length > 0 && (
          <div className={styles.composeFoot}>
            <div className={styles.decisions}>{decisions}</div>
          </div>
        )
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
      {asked && (
        <DecisionDialog
          request={request}
          action={asked}
          editor={isOpen ? editor : undefined}
          attaching={attaching}
          away={whyAway(status)}
          isReviewer={part.isReviewer}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}
