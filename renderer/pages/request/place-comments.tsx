import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquarePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommentAbout } from "../../../shared/comments/about.schema.ts";
import { commentDraftQuery } from "../../api-client/comment-drafts.ts";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { addPlaceComment, placeCommentsQuery } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { nameOrNumber } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import { workState } from "../library/work-state.ts";
import { isBlank } from "./kept-editor.ts";
import styles from "./place.module.css";
import { editorOfPlace, isSamePlace, nameOf, placeOf } from "./place.ts";
import { ResolveButton } from "./resolve-button.tsx";
import { ShortEditor } from "./short-editor.tsx";
import { useTargetPlace } from "./use-target-place.ts";

export interface PlaceCommentsProps {
  request: ReviewRequest;
  /** Whether the user may add comments. */
  maySpeak: boolean;
  about: CommentAbout;
  /** The field or file as users know it. */
  label: string;
}

/** The comments on one field or file, and a button to add one. Settled ones are folded. */
export function PlaceComments({ request, maySpeak, about, label }: PlaceCommentsProps) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(placeCommentsQuery(request.id));
  const isTarget = useTargetPlace() === nameOf(about);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isTarget) place.current?.scrollIntoView({ block: "center" });
  }, [isTarget]);
  const { data: kept } = useQuery({ ...commentDraftQuery(request.id, editorOfPlace(about)), enabled: isTarget });
  const [isWriting, setWriting] = useState<boolean | null>(null);
  // An unsent comment, such as a withdrawn one, opens the editor again.
  const isOpen = maySpeak && (isWriting ?? (kept !== undefined && !isBlank(kept)));
  const [showsAll, setShowsAll] = useState(false);
  const here = data.filter((comment) => isSamePlace(placeOf(comment) ?? { field: "" }, about));
  const open = here.filter((comment) => comment.about?.resolved_by === undefined);
  const settled = here.length - open.length;
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setWriting(false);
    opener.current?.focus();
  };
  const shown = showsAll ? here : open;
  return (
    <>
      {maySpeak && (
        <IconButton
          ref={opener}
          small
          icon={MessageSquarePlus}
          label={t("request.place.comment", { place: label })}
          onPress={() => setWriting(true)}
        />
      )}
      <div ref={place} className={`${styles.notes} ${isTarget ? styles.target : ""}`}>
        {shown.length > 0 && (
          <ol className={styles.list} aria-label={t("request.place.list", { place: label })}>
            {shown.map((comment) => (
              <li key={comment.id}>
                <Note request={request} comment={comment} />
              </li>
            ))}
          </ol>
        )}
        {settled > 0 && !showsAll && (
          <Button small variant="link" onPress={() => setShowsAll(true)}>
            {t("request.place.settled", { count: settled })}
          </Button>
        )}
        {isOpen && <PlaceEditor request={request} about={about} label={label} onClose={close} />}
      </div>
    </>
  );
}

function Note({ request, comment }: { request: ReviewRequest; comment: RequestEvent }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { id, created, created_by, expanded, payload, sync, children_count = 0 } = comment;
  const name = nameOrNumber(expanded?.created_by, created_by.user);
  return (
    <article className={styles.note} aria-label={name}>
      <header>
        <b>{name}</b>
        <Link
          to="/me/requests/$id"
          params={{ id: request.id }}
          hash={`commentevent-${id}`}
          search={{}}
          className={styles.when ?? ""}
        >
          {children_count > 0
            ? t("request.place.replies", { count: children_count, when: formatAgo(created) })
            : formatAgo(created)}
        </Link>
        {sync && <StateWord state={workState(sync, status)} reason={sync.message} />}
        <span className={styles.push} />
        <ResolveButton request={request} comment={comment} />
      </header>
      <RichText html={payload.content ?? ""} />
    </article>
  );
}

function PlaceEditor({
  request,
  about,
  label,
  onClose,
}: Omit<PlaceCommentsProps, "maySpeak"> & { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ShortEditor
      request={request}
      place={editorOfPlace(about)}
      label={t("request.place.your", { place: label })}
      sendLabel={t("request.send_comment")}
      send={(draft) => addPlaceComment(request.id, about, draft)}
      onClose={onClose}
    />
  );
}
