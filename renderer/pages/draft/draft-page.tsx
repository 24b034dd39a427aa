import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate, useLocation } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftQuery, recordQuery } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { afterPress } from "../../components/after-press.ts";
import { Busy } from "../../components/notice.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { DraftDiscarded, PageFailure } from "../page-failure.tsx";
import { type Arrival, markArrival } from "../record/arrival.ts";
import styles from "./draft.module.css";
import { DraftContext } from "./draft-context.ts";
import { DraftForm } from "./draft-form.tsx";
import { DraftHead } from "./draft-head.tsx";
import { DraftInspector } from "./draft-inspector.tsx";
import { goToField } from "./draft-status.tsx";
import { keepsChanges, keptChangesQuery } from "./kept-changes.ts";
import { forgetSession, hasSession, sessionOf } from "./open-sessions.ts";
import { usePresenceReport } from "./presence.ts";

const route = getRouteApi("/uploads/$id");
const fieldId = "field-";

/** The editor at `/uploads/{id}`; a published draft redirects to its record. */
export function DraftPage() {
  const { id } = route.useParams();
  const { file, entry } = route.useSearch();
  const { data, error, refetch } = useQuery(draftQuery(id));
  const kept = useQuery(keptChangesQuery(id, hasSession));
  const wasOpen = useRef(false);
  if (data) wasOpen.current = true;
  const isMissing = error instanceof ApiFailure && error.status === 404;
  const isEdit = data?.status === "published";
  const record = useQuery({ ...recordQuery(id), enabled: isMissing || isEdit });
  // A discarded edit leaves the record as it was.
  const edited = useRef<RecordBody>(undefined);
  if (isEdit && !isMissing) edited.current ??= record.data;
  const [before, now] = [edited.current, record.data];
  const isUnchanged = before !== undefined && before.id === id && before.revision_id === now?.revision_id;
  useEffect(() => {
    if (isMissing) forgetSession(id);
  }, [isMissing, id]);
  if (file && /\.zip$/i.test(file))
    return <Navigate to="/uploads/$id/files/$" params={{ id, _splat: file }} search={{ path: entry }} replace />;
  // What an earlier visit could not send is sent first.
  if (data && !isMissing && kept.isPending) return <Busy />;
  if (data && !isMissing) return <DraftEditor key={id} body={data} />;
  // The record may be cached although its draft still exists.
  if (isMissing && record.data && !record.isFetching)
    return <ToRecord id={id} {...(wasOpen.current ? { arrival: isUnchanged ? "discarded" : "published" } : {})} />;
  if (isMissing && record.error && wasOpen.current) return <DraftDiscarded />;
  if (error && (!isMissing || record.error)) return <PageFailure error={error} onRetry={() => void refetch()} />;
  return <Busy />;
}

/** Moves to the record. @param arrival why, if the user had its draft open */
function ToRecord({ id, arrival }: { id: string; arrival?: Arrival }) {
  useEffect(() => {
    if (arrival) markArrival(id, arrival);
  }, [id, arrival]);
  return <Navigate to="/records/$id" params={{ id }} replace />;
}

function DraftEditor({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session outlives the page; later bodies come by receive()
  const session = useMemo(() => sessionOf(body), []);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isChecked, setChecked] = useState(false);
  useEffect(() => session.receive(body), [session, body]);
  useEffect(() => {
    const flush = () => void session.save();
    const warn = (event: BeforeUnloadEvent) => {
      if (!session.isUnsaved || !keepsChanges()) return;
      session.keepUnsaved();
      event.preventDefault();
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
      // Leaving a field may show a problem below it, which moves what is being pressed.
      touch: (field: string) => afterPress(() => setTouched((before) => new Set(before).add(field))),
    }),
    [session, touched, isChecked],
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
        <DraftHead onCheck={() => setChecked(true)} />
        <DraftForm />
        <aside className={styles.side} aria-label={t("draft.beside")}>
          <DraftInspector />
        </aside>
      </div>
    </DraftContext>
  );
}
