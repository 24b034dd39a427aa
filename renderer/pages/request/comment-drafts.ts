import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import type { CommentDraft, KeptFile } from "../../../shared/comments/comment-draft.schema.ts";
import { commentDraftQuery, holdCommentDraft, keepCommentDraft } from "../../api-client/requests.ts";
import { showFailure } from "../../components/toast-queue.ts";

const typingMs = 400;
const blank: CommentDraft = { content: "", files: [] };

const isBlank = ({ content, files }: CommentDraft) => content === "" && files.length === 0;

const joined = (drafts: CommentDraft[]): CommentDraft => ({
  content: drafts.map(({ content }) => content).join(""),
  files: drafts.flatMap(({ files }) => files),
});

/** A comment being written. */
export interface CommentEditor {
  draft: CommentDraft;
  /** Whether what was kept earlier has been read; before that nothing can be typed over it. */
  isReady: boolean;
  write: (content: string) => void;
  /** Puts words and files behind what stands here by now. */
  add: (draft: CommentDraft) => void;
  addFile: (file: KeptFile) => void;
  removeFile: (id: string) => void;
  /** Whether nothing stands here now. */
  isBlank: () => boolean;
  /** Takes out what stands here, to be sent: what is typed from now on is another comment. Both stay kept. */
  take: () => CommentDraft;
  /** What was taken out has arrived, and need not be kept. Returns whether nothing was typed meanwhile. */
  sent: (draft: CommentDraft) => boolean;
  /** What was taken out did not arrive: it stands here again, before what was typed meanwhile. */
  putBack: (draft: CommentDraft) => void;
  /** Forgets what was kept: it was saved, or given up. */
  clear: () => void;
}

/**
 * What stands in an editor of a request. The local API keeps it until it is sent, across windows and restarts.
 * @param place which editor of the request: empty for the conversation, else that of a reply or of an edit.
 * @param initial what stands there when nothing was kept.
 */
export function useCommentDraft(request: string, place: string, initial = blank): CommentEditor {
  const { data, isFetchedAfterMount } = useQuery(commentDraftQuery(request, place));
  const [shown, show] = useState<CommentDraft | null>(null);
  // What was typed last, also while what is shown is still one step behind.
  const typed = useRef(shown);
  const kept = data && !isBlank(data) ? data : initial;
  const latest = () => typed.current ?? kept;
  const underWay = useRef(new Map<CommentDraft, () => void>());
  // Until the local API has taken it: what is under way when the window closes may not arrive.
  const unsaved = useRef<{ draft: CommentDraft; timer: ReturnType<typeof setTimeout>; isSent?: boolean }>(undefined);
  const flush = useCallback(
    (isLeaving: boolean) => {
      const waiting = unsaved.current;
      if (!waiting || (waiting.isSent && !isLeaving)) return;
      clearTimeout(waiting.timer);
      waiting.isSent = true;
      const done = () => {
        if (unsaved.current === waiting) unsaved.current = undefined;
      };
      void keepCommentDraft(request, place, waiting.draft, isLeaving).catch(showFailure).then(done);
    },
    [request, place],
  );
  useEffect(() => {
    const leave = () => flush(true);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      flush(false);
    };
  }, [flush]);
  const change = (draft: CommentDraft) => {
    typed.current = draft;
    show(draft);
    clearTimeout(unsaved.current?.timer);
    const all = joined([...underWay.current.keys(), draft]);
    unsaved.current = { draft: all, timer: setTimeout(() => flush(false), typingMs) };
  };
  const arrive = (draft: CommentDraft, left: CommentDraft) => {
    const release = underWay.current.get(draft);
    underWay.current.delete(draft);
    change(left);
    flush(false);
    release?.();
  };
  const add = (draft: CommentDraft) => change(joined([latest(), draft]));
  return {
    draft: shown ?? kept,
    // What was read for an earlier visit may have been sent since.
    isReady: data !== undefined && isFetchedAfterMount,
    write: (content) => change({ ...latest(), content }),
    add,
    addFile: (file) => add({ content: "", files: [file] }),
    removeFile: (id) => change({ ...latest(), files: latest().files.filter((file) => file.id !== id) }),
    isBlank: () => isBlank(latest()),
    take() {
      const draft = { ...latest() };
      underWay.current.set(draft, holdCommentDraft(request, place));
      change(blank);
      return draft;
    },
    sent(draft) {
      arrive(draft, latest());
      return isBlank(latest());
    },
    putBack: (draft) => arrive(draft, joined([draft, latest()])),
    clear: () => arrive(latest(), blank),
  };
}

/**
 * Sends what stands in an editor, one after the other in the order of the presses; what did not arrive stands there again.
 * @param editor absent where nothing can be written: then no words go.
 * @param onSent told whether nothing was typed meanwhile.
 */
export function useSending<T>(
  editor: CommentEditor | undefined,
  deliver: (draft: CommentDraft) => Promise<T>,
  { onSent, onFailed }: { onSent: (answer: T, isDone: boolean) => void; onFailed?: (error: Error) => void },
) {
  const pending = useRef(0);
  const { mutate, isPending, error } = useMutation({
    scope: { id: useId() },
    mutationFn: deliver,
    onSuccess: (answer, draft) => onSent(answer, editor?.sent(draft) ?? true),
    onError: (failure, draft) => {
      editor?.putBack(draft);
      onFailed?.(failure);
    },
    onSettled: () => {
      pending.current -= 1;
    },
  });
  const send = () => {
    // Pressed twice: the first press took everything.
    if (pending.current > 0 && (editor?.isBlank() ?? true)) return;
    pending.current += 1;
    mutate(editor?.take() ?? blank);
  };
  return { isPending, error, send };
}
