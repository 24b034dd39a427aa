import { getRouteApi, Navigate, useLocation } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { afterPress } from "../../components/after-press.ts";
import { Busy } from "../../components/notice.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { PageFailure } from "../page-failure.tsx";
import { type Arrival, markArrival } from "../record/arrival.ts";
import styles from "./draft.module.css";
import { DraftContext } from "./draft-context.ts";
import { DraftForm } from "./draft-form.tsx";
import { DraftHead } from "./draft-head.tsx";
import { DraftInspector } from "./draft-inspector.tsx";
import { goToField } from "./draft-status.tsx";
import { keepsChanges } from "./kept-changes.ts";
import { LostHead } from "./lost-head.tsx";
import { sessionOf } from "./open-sessions.ts";
import { usePresenceReport } from "./presence.ts";
import { useRemake } from "./use-remake.ts";
import { type ShownEditor, useShownDraft } from "./use-shown-draft.ts";

const route = getRouteApi("/uploads/$id");
const fieldId = "field-";

/** The editor at `/uploads/{id}`; a published draft redirects to its record. */
export function DraftPage() {
  const { id } = route.useParams();
  // The preview of another file opens on the page, which is not rendered again for it.
  const zip = route.useSearch({
    select: ({ file, entry }) => (/\.zip$/i.test(file ?? "") ? { file, entry } : undefined),
  });
  const shown = useShownDraft(id);
  if (zip)
    return (
      <Navigate to="/uploads/$id/files/$" params={{ id, _splat: zip.file }} search={{ path: zip.entry }} replace />
    );
  if (shown.kind === "record") return <ToRecord id={id} arrival={shown.arrival} />;
  if (shown.kind === "failure") return <PageFailure error={shown.error} onRetry={shown.retry} />;
  if (shown.kind === "busy") return <Busy />;
  return <DraftEditor key={id} {...shown} />;
}

/** Moves to the record. @param arrival why, if the user had its draft open */
function ToRecord({ id, arrival }: { id: string; arrival: Arrival | undefined }) {
  useEffect(() => {
    if (arrival) markArrival(id, arrival);
  }, [id, arrival]);
  return <Navigate to="/records/$id" params={{ id }} replace />;
}

function DraftEditor({ body, earlier, isRead, loss }: ShownEditor) {
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
    if (hash.startsWith(fieldId)) queueMicrotask(() => goToField(hash.slice(fieldId.length)));
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
