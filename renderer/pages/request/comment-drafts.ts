import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { CommentDraft, KeptFile } from "../../../shared/comments/comment-draft.schema.ts";
import { commentDraftQuery, onCommentDraftRead } from "../../api-client/comment-drafts.ts";
import { blank, isBlank, joined, KeptEditor } from "./kept-editor.ts";

/** An unsent comment. */
export interface CommentEditor {
  draft: CommentDraft;
  /** Whether the stored text was loaded, so that typing cannot overwrite it. */
  isReady: boolean;
  write: (content: string) => void;
  /** How often `add` was called. */
  additions: number;
  /** Appends text and files. */
  add: (draft: CommentDraft) => void;
  addFile: (file: KeptFile) => void;
  removeFile: (id: string) => void;
  /** Whether the editor is empty. */
  isBlank: () => boolean;
  /** Takes the content out for sending. Later typing is a new comment. Both stay stored. */
  take: () => CommentDraft;
  /** The taken content was sent and need not be stored. @returns whether nothing was typed since. */
  sent: (draft: CommentDraft) => boolean;
  /** Sending failed: puts the content back before what was typed since. */
  putBack: (draft: CommentDraft) => void;
  /** Removes the stored text after it was saved or dropped. */
  clear: () => void;
}

/**
 * The content of a request's editor. The local API stores it until it is sent, across windows and restarts.
 * @param place the editor: empty for the conversation, else that of a reply or edit.
 * @param initial the content if nothing is stored.
 */
export function useCommentDraft(request: string, place: string, initial = blank): CommentEditor {
  const cache = useQueryClient();
  const query = commentDraftQuery(request, place);
  const { data, isFetchedAfterMount } = useQuery(query);
  const [shown, show] = useState<CommentDraft | null>(null);
  const [additions, setAdditions] = useState(0);
  const [state] = useState(() => new KeptEditor(request, place, show));
  const kept = data ?? blank;
  const draft = shown ?? (isBlank(kept) ? initial : kept);
  useEffect(() => state.drawn({ draft, kept }));
  useEffect(
    () =>
      onCommentDraftRead(request, place, (read) => {
        // Unchanged content comes from the cache.
        cache.setQueryData(commentDraftQuery(request, place).queryKey, read);
        state.read(read);
      }),
    [request, place, state, cache],
  );
  useEffect(() => {
    const leave = () => void state.flush(true);
    addEventListener("pagehide", leave);
    return () => {
      // The user may close the window while this is on its way.
      void state.flush(false).then(() => removeEventListener("pagehide", leave));
    };
  }, [state]);
  const add = (more: CommentDraft) => {
    setAdditions((count) => count + 1);
    state.change(joined([state.latest, more]));
  };
  return {
    draft,
    // A cached text may have been sent since.
    isReady: data !== undefined && isFetchedAfterMount,
    write: (content) => state.write(content),
    additions,
    add,
    addFile: (file) => state.change(joined([state.latest, { content: "", files: [file] }])),
    removeFile: (id) => state.change({ ...state.latest, files: state.latest.files.filter((file) => file.id !== id) }),
    isBlank: () => isBlank(state.latest),
    take: () => state.take(),
    sent(taken) {
      state.arrive(taken, state.latest);
      return isBlank(state.latest);
    },
    putBack: (taken) => state.arrive(taken, joined([taken, state.latest])),
    clear: () => state.arrive(state.latest, blank),
  };
}

/**
 * Sends the editor's content in order of the presses. Content that could not be sent is put back.
 * @param editor undefined if nothing can be written: sends no text.
 * @param onSent called with whether nothing was typed since.
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
    // A second press finds an empty editor.
    if (pending.current > 0 && (editor?.isBlank() ?? true)) return;
    pending.current += 1;
    mutate(editor?.take() ?? blank);
  };
  return { isPending, error, send };
}
