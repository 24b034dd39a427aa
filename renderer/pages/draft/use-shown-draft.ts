import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftQuery, recordQuery } from "../../api-client/records.ts";
import type { ApiFailure } from "../../api-client/request.ts";
import type { Arrival } from "../record/arrival.ts";
import { isSame } from "./draft-content.ts";
import { bodyOf, isFinal, keptChangesQuery } from "./kept-changes.ts";
import type { Loss } from "./lost-head.tsx";
import { type Earlier, forgetSession, hasSession, openSession } from "./open-sessions.ts";

export interface ShownEditor {
  kind: "editor";
  body: RecordBody;
  earlier: Earlier;
  /** Whether the draft can be read. */
  isRead: boolean;
  /** The draft is gone: the form keeps what the user typed, and takes more. */
  loss: Loss | undefined;
}

/** What the page of a draft shows. `record`: the draft was published, and nothing typed is unsaved. */
export type ShownDraft =
  | ShownEditor
  | { kind: "record"; arrival: Arrival | undefined }
  | { kind: "failure"; error: Error; retry: () => void }
  | { kind: "busy" };

/** Why a draft cannot be read for good; undefined while the reason is not known. */
function lossOf(failure: ApiFailure, record: RecordBody | undefined, isUnchanged: boolean): Loss {
  if (failure.status === 403) return { kind: "withdrawn" };
  if (failure.status === 410) return { kind: "deleted", tombstone: failure.tombstone };
  if (!record) return { kind: "discarded" };
  return { kind: isUnchanged ? "edit_discarded" : "published", record };
}

/** The record of a draft that is missing, or that edits it. @param draft as it was read last */
function useRecordOf(id: string, draft: RecordBody | undefined, isMissing: boolean) {
  const isEdit = draft?.status === "published";
  const { data, error, isFetching } = useQuery({ ...recordQuery(id), enabled: isMissing || isEdit });
  const edited = useRef<RecordBody>(undefined);
  if (isEdit && !isMissing) edited.current ??= data;
  const before = edited.current?.id === id ? edited.current : undefined;
  const isOlder = isEdit && data !== undefined && Date.parse(data.updated) < Date.parse(draft.updated);
  return {
    record: data,
    /** A discarded edit leaves the record as it was. If that was not read in time, it is older than the edit. */
    isUnchanged: before ? before.revision_id === data?.revision_id : isOlder,
    /** Whether it is known if there is a record. */
    isKnown: !isFetching && (data ?? error) !== null,
    isFetching,
  };
}

/** The words of a draft that are not saved: of the open editor, or kept by an earlier visit. */
function useUnsavedWords(id: string) {
  const kept = useQuery(keptChangesQuery(id, hasSession));
  const session = openSession(id);
  const words = kept.data?.refused;
  const hasUnsaved = session ? session.isUnsaved : words !== undefined && !isSame(words.content, words.saved);
  return { isPending: kept.isPending, session, words, hasUnsaved };
}

/** Follows a draft that may be published, discarded, deleted or closed to the user while it is open. */
export function useShownDraft(id: string): ShownDraft {
  const { data, error, refetch } = useQuery(draftQuery(id));
  const { isPending, session, words, hasUnsaved } = useUnsavedWords(id);
  const wasOpen = useRef(false);
  if (data) wasOpen.current = true;
  const failure = isFinal(error) ? error : undefined;
  const isMissing = failure?.status === 404;
  const record = useRecordOf(id, data, isMissing);
  // The record may be cached although its draft still exists.
  const isMoved = isMissing && !isPending && record.record !== undefined && !record.isFetching && !hasUnsaved;
  useEffect(() => {
    if (isMoved) forgetSession(id);
  }, [isMoved, id]);
  const isRead = data !== undefined && !error;
  // Until it is known whether the draft was published, the user goes on typing.
  const isDecided = !isMissing || record.isKnown;
  const lost = useRef<{ id: string; loss: Loss }>(undefined);
  if (isMoved) {
    const arrival = record.isUnchanged ? "discarded" : "published";
    return { kind: "record", arrival: wasOpen.current ? arrival : undefined };
  }
  // What an earlier visit could not send is sent first.
  if (isPending && (data || failure)) return { kind: "busy" };
  // Reading again does not yet say that the draft is back.
  if (isRead || lost.current?.id !== id) lost.current = undefined;
  if (failure && isDecided && !session?.isEnding)
    lost.current = { id, loss: lossOf(failure, record.record, record.isUnchanged) };
  const loss = lost.current?.loss;
  const body = data ?? session?.current().body ?? (words && bodyOf(words));
  const isShown = failure || loss ? session !== undefined || words !== undefined : data !== undefined;
  if (body && isShown) return { kind: "editor", body, earlier: { refused: words, isThere: isRead }, isRead, loss };
  if (error && isDecided) return { kind: "failure", error, retry: () => void refetch() };
  return { kind: "busy" };
}
