import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  Check,
  ClipboardPaste,
  Copy,
  LayoutTemplate,
  PanelRight,
  Redo2,
  Send,
  Trash2,
  Undo2,
  UserPlus,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { draftReviewQuery } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog, Drawer } from "../../components/dialog.tsx";
import { type MenuAction, MenuButton } from "../../components/menu.tsx";
import { Pill } from "../../components/pill.tsx";
import { useChange } from "../../components/use-change.ts";
import { useNewDraft } from "../../shell/new-draft.ts";
import { forgetRecent } from "../../shell/recent.ts";
import { stageOf, stageTones } from "../library/record-stage.ts";
import { useRecordRights } from "../record/record-rights.ts";
import { ShareDialog } from "../share/share-dialog.tsx";
import { CommunityDialog } from "./community-dialog.tsx";
import styles from "./draft.module.css";
import { allProblems, waitsForReview, waitsToPublish } from "./draft-content.ts";
import { useDraftPart, useDraftSession, useProblems } from "./draft-context.ts";
import { DraftInspector } from "./draft-inspector.tsx";
import { goToField } from "./draft-status.tsx";
import { HeadTitle } from "./head-title.tsx";
import { ImportDialog } from "./import/import-dialog.tsx";
import { KeepTemplateDialog } from "./keep-template-dialog.tsx";
import { discardOpen } from "./open-sessions.ts";
import { PeopleHere } from "./people-here.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { SavedLine } from "./saved-line.tsx";
import { useUnsureSite } from "./unsure-publication.tsx";
import type { Remake } from "./use-remake.ts";
import { useUndoCommands } from "./use-undo-commands.ts";

type ShownDialog = "beside" | "publish" | "review" | "share" | "import" | "template" | "discard" | null;

interface DraftHeadProps {
  onCheck: () => void;
  remake: Remake;
}

/** Title, save state, undo and redo, and the draft's actions. */
export function DraftHead({ onCheck, remake }: DraftHeadProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useDraftSession();
  const body = useDraftPart((view) => view.body);
  const problems = useProblems();
  const [shown, setShown] = useState<ShownDialog>(null);
  const isInReview = body.status === "in_review";
  const waits = waitsToPublish(body);
  const isSubmitting = !isInReview && waitsForReview(body);
  const isUnsure = useUnsureSite(session.id) !== undefined;
  const { mayManage } = useRecordRights(body);
  const site = useQuery(syncStatusQuery).data?.upstream?.name;
  const discard = useChange(() => discardOpen(session), {
    onSuccess: () => forgetRecent(`/uploads/${session.id}`),
    onDone: () => navigate({ to: "/me/uploads" }),
    onSettled: () => setShown(null),
  });
  const copy = useNewDraft();
  const ask = async (what: ShownDialog) => {
    onCheck();
    await session.save();
    const now = session.current();
    const [first] = [
      ...problems.filter(({ field }) => field === "files"),
      // Another site has rules of its own, so what was found here is advice.
      ...allProblems(now.content, [...(now.body.sync?.not_taken ?? []), ...(site ? [] : now.reported)]),
    ].filter(({ field }) => field !== "files.enabled");
    if (first) goToField(first.field);
    else setShown(what);
  };
  const actions: MenuAction[] = [
    { id: "share", label: t("share.title"), icon: UserPlus, isDisabled: !mayManage, onAction: () => setShown("share") },
    { id: "copy", label: t("record.copy"), icon: Copy, onAction: () => copy.mutate(session.current().content) },
    { id: "template", label: t("templates.keep"), icon: LayoutTemplate, onAction: () => setShown("template") },
    { id: "import", label: t("import.title"), icon: ClipboardPaste, onAction: () => setShown("import") },
    {
      id: "discard",
      label: t("draft.discard"),
      icon: Trash2,
      isDangerous: true,
      isDisabled: isInReview,
      onAction: () => setShown("discard"),
    },
  ];
  useDraftCommands({ isInReview: isInReview || isSubmitting, waits, mayManage, ask: (what) => void ask(what) });
  return (
    <header className={styles.head}>
      <div className={styles.headWords}>
        <div className={styles.headTitle}>
          <HeadTitle />
          {body.parent.review && stageTones[body.status] && (
            <Link to="/me/requests/$id" params={{ id: body.parent.review.id }} className={styles.stage ?? ""}>
              <Pill tone={stageTones[body.status] ?? "neutral"}>{t(stageOf(body))}</Pill>
            </Link>
          )}
          {isSubmitting && <SubmittingPill draftId={session.id} />}
          {waits && !isUnsure && <Pill tone="accent">{t("draft.publish_waits")}</Pill>}
        </div>
        <SavedLine remake={remake} />
      </div>
      <PeopleHere draftId={session.id} />
      <UndoButtons />
      {!isInReview && !isSubmitting && (
        <>
          {body.status !== "published" && !waits && mayManage && (
            <Button onPress={() => void ask("review")}>{t(site ? "upstream.community.submit" : "draft.submit")}</Button>
          )}
          {/* An InvenioRDM publishes only what is pressed while it can be reached. */}
          <Button variant="primary" isDisabled={isUnsure || (waits && !site)} onPress={() => void ask("publish")}>
            {t("draft.publish")}
          </Button>
        </>
      )}
      {isInReview && body.parent.review && (
        <Button
          variant="primary"
          onPress={() => void navigate({ to: "/me/requests/$id", params: { id: body.parent.review?.id ?? "" } })}
        >
          {t("draft.to_review")}
        </Button>
      )}
      <span className={styles.headTools}>
        <span className={styles.narrow}>
          <IconButton label={t("draft.beside")} icon={PanelRight} onPress={() => setShown("beside")} />
        </span>
        <MenuButton label={t("draft.more")} actions={actions} />
      </span>
      <Drawer title={t("draft.beside")} isOpen={shown === "beside"} onClose={() => setShown(null)}>
        <div className={styles.drawer}>
          <DraftInspector />
        </div>
      </Drawer>
      {shown === "publish" && <PublishDialog onClose={() => setShown(null)} />}
      {shown === "review" && !site && <ReviewDialog onClose={() => setShown(null)} />}
      {shown === "review" && site && <CommunityDialog site={site} onClose={() => setShown(null)} />}
      {shown === "template" && <KeepTemplateDialog onClose={() => setShown(null)} />}
      {shown === "import" && <ImportDialog onClose={() => setShown(null)} />}
      {shown === "share" && <ShareDialog record={body} onClose={() => setShown(null)} />}
      <ConfirmDialog
        title={t("draft.discard_title")}
        isOpen={shown === "discard"}
        onClose={() => setShown(null)}
        onConfirm={() => discard.mutate()}
        confirmLabel={t("draft.discard")}
        isPending={discard.isPending}
        isDangerous
      >
        {t("draft.discard_body")}
      </ConfirmDialog>
    </header>
  );
}

/** Leads to the request, once it is known: the draft does not name a review that the server does not know. */
function SubmittingPill({ draftId }: { draftId: string }) {
  const { t } = useTranslation();
  const { data: request } = useQuery(draftReviewQuery(draftId));
  const pill = <Pill tone="accent">{t("draft.review_waits")}</Pill>;
  if (!request) return pill;
  return (
    <Link to="/me/requests/$id" params={{ id: request.id }} className={styles.stage ?? ""}>
      {pill}
    </Link>
  );
}

function UndoButtons() {
  const { t } = useTranslation();
  const session = useDraftSession();
  const canUndo = useDraftPart((view) => view.canUndo);
  const canRedo = useDraftPart((view) => view.canRedo);
  return (
    <span>
      <IconButton label={t("draft.undo")} icon={Undo2} isDisabled={!canUndo} onPress={session.undo} />
      <IconButton label={t("draft.redo")} icon={Redo2} isDisabled={!canRedo} onPress={session.redo} />
    </span>
  );
}

interface DraftCommands {
  isInReview: boolean;
  waits: boolean;
  mayManage: boolean;
  ask: (what: ShownDialog) => void;
}

/** The draft's actions, undo and redo, as commands. */
function useDraftCommands({ isInReview, waits, mayManage, ask }: DraftCommands) {
  const { t } = useTranslation();
  const status = useDraftPart(({ body }) => body.status);
  const mayPublish = !isInReview && !waits;
  useUndoCommands([
    {
      id: "submit",
      group: "page",
      label: t("draft.submit"),
      icon: Send,
      keys: "mod+enter",
      run: () => ask("review"),
      isOffered: mayPublish && mayManage && status !== "published",
    },
    {
      id: "publish",
      group: "page",
      label: t("draft.publish"),
      icon: Check,
      run: () => ask("publish"),
      isOffered: mayPublish,
    },
  ]);
}
