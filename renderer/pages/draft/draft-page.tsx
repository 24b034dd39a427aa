import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate, useLocation } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftQuery, recordQuery } from "../../api-client/records.ts";
import type { ApiFailure } from "../../api-client/request.ts";
import { afterPress } from "../../components/after-press.ts";
import { Busy } from "../../components/notice.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { PageFailure } from "../page-failure.tsx";
import { type Arrival, markArrival } from "../record/arrival.ts";
import styles from "./draft.module.css";
import { isSame } from "./draft-content.ts";
import { DraftContext } from "./draft-context.ts";
import { DraftForm } from "./draft-form.tsx";
import { DraftHead } from "./draft-head.tsx";
import { DraftInspector } from "./draft-inspector.tsx";
import { goToField } from "./draft-status.tsx";
import { bodyOf, isFinal, keepsChanges, keptChangesQuery } from "./kept-changes.ts";
import { type Loss, LostHead } from "./lost-head.tsx";
import { type Earlier, forgetSession, hasSession, openSession, sessionOf } from "./open-sessions.ts";
import { usePresenceReport } from "./presence.ts";
import { useRemake } from "./use-remake.ts";

const route = getRouteApi("/uploads/$id");
const fieldId = "field-";

/** Why a draft cannot be read for good; undefined while the reason is not known. */
function lossOf(failure: ApiFailure, record: RecordBody | undefined, isUnchanged: boolean): Loss {
  if (failure.status === 403) return { kind: "withdrawn" };
  if (failure.status === 410) return { kind: "deleted", tombstone: failure.tombstone };
  if (!record) return { kind: "discarded" };
  return { kind: isUnchanged ? "edit_discarded" : "published", record };
}

/** The editor at `/uploads/{id}`; a published draft redirects to its record. */
export function DraftPage() {
  const { id } = route.useParams();
  const { file, entry } = route.useSearch();
  const { data, error, refetch } = useQuery(draftQuery(id));
  const kept = useQuery(keptChangesQuery(id, hasSession));
  const wasOpen = useRef(false);
  if (data) wasOpen.current = true;
  const failure = isFinal(error) ? error : undefined;
  const isMissing = failure?.status === 404;
  const isEdit = data?.status === "published";
  const record = useQuery({ ...recordQuery(id), enabled: isMissing || isEdit });
  const lost = useRef<{ id: string; loss: Loss }>(undefined);
  // A discarded edit leaves the record as it was.
  const edited = useRef<RecordBody>(undefined);
  if (isEdit && !isMissing) edited.current ??= record.data;
  const [before, now] = [edited.current, record.data];
  const isUnchanged = before !== undefined && before.id === id && before.revision_id === now?.revision_id;
  const session = openSession(id);
  const words = kept.data?.refused;
  const hasUnsaved = session ? session.isUnsaved : words !== undefined && !isSame(words.content, words.saved);
  // Until it is known whether the draft was published, the user goes on typing.
  const isDecided = !isMissing || (!record.isFetching && (record.data ?? record.error) !== null);
  const isMoved = isMissing && !kept.isPending && record.data !== undefined && !record.isFetching && !hasUnsaved;
  useEffect(() => {
    if (isMoved) forgetSession(id);
  }, [isMoved, id]);
  if (file && /\.zip$/i.test(file))
    return <Navigate to="/uploads/$id/files/$" params={{ id, _splat: file }} search={{ path: entry }} replace />;
  // The record may be cached although its draft still exists.
  if (isMoved)
    return <ToRecord id={id} {...(wasOpen.current ? { arrival: isUnchanged ? "discarded" : "published" } : {})} />;
  // What an earlier visit could not send is sent first.
  if (kept.isPending && (data || failure)) return <Busy />;
  const body = data ?? session?.current().body ?? (words && bodyOf(words));
  const isRead = data !== undefined && !error;
  // Reading again does not yet say that the draft is back.
  if (isRead || lost.current?.id !== id) lost.current = undefined;
  if (failure && isDecided && !session?.isEnding)
    lost.current = { id, loss: lossOf(failure, record.data, isUnchanged) };
  const loss = lost.current?.loss;
  const isShown = failure || loss ? session !== undefined || words !== undefined : data !== undefined;
  if (body && isShown)
    return (
      <DraftEditor key={id} body={body} earlier={{ refused: words, isThere: isRead }} isRead={isRead} loss={loss} />
    );
  if (error && isDecided) return <PageFailure error={error} onRetry={() => void refetch()} />;
  return <Busy />;
}

/** Moves to the record. @param arrival why, if the user had its draft open */
function ToRecord({ id, arrival }: { id: string; arrival?: Arrival }) {
  useEffect(() => {
    if (arrival) markArrival(id, arrival);
  }, [id, arrival]);
  return <Navigate to="/records/$id" params={{ id }} replace />;
}

interface DraftEditorProps {
  body: RecordBody;
  earlier: Earlier;
  /** Whether the draft can be read. */
  isRead: boolean;
  /** The draft is gone: the form keeps what the user typed, and takes more. */
  loss: Loss | undefined;
}

function DraftEditor({ body, earlier, isRead, loss }: DraftEditorProps) {
  const { t } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session outlives the page; later bodies come by receive()
  const session = useMemo(() => sessionOf(body, earlier), []);
  const remake = useRemake(session);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isChecked, setChecked] = useState(false);
  useEffect(() => session.receive(body), [session, body]);
  const isLost = loss !== undefined;
  useLayoutEffect(() => {
    if (isLost || isRead) session.setLost(isLost);
  }, [session, isLost, isRead]);
  useEffect(() => {
    const flush = () => void session.save();
    const warn = (event: BeforeUnloadEvent) => {
      if (!session.isUnsaved) return;
      session.keepUnsaved();
      if (keepsChanges()) event.preventDefault();
    };
    addEventListener("pagehide", flush);
    addEventListener("beforeunload", warn);
    return () => {
      removeEventListener("pagehide", flush);
      removeEventListener("beforeunload", warn);
      flush();
    };
  }, [session]);
  const value = useMemo(
    () => ({
      session,
      touched,
      isChecked,
      isLost,
      // Leaving a field may show a problem below it, which moves what is being pressed.
      touch: (field: string) => afterPress(() => setTouched((before) => new Set(before).add(field))),
    }),
    [session, touched, isChecked, isLost],
  );
  // A link to a field, such as #field-metadata.funding.
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (hash.startsWith(fieldId)) goToField(hash.slice(fieldId.length));
  }, [hash]);
  usePresenceReport(body.id);
  usePageTitle(
    { label: t("place.library"), to: "/me/uploads" },
    { label: body.metadata.title ?? t("library.untitled") },
  );
  return (
    <DraftContext value={value}>
      <div className={styles.editor}>
        {loss ? (
          <LostHead loss={loss} remake={remake} />
        ) : (
          <DraftHead onCheck={() => setChecked(true)} remake={remake} />
        )}
        <DraftForm isLost={isLost} />
        {!loss && (
          <aside className={styles.side} aria-label={t("draft.beside")}>
            <DraftInspector />
          </aside>
        )}
      </div>
    </DraftContext>
  );
}
