import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { CommentDraft, KeptFile } from "../../../shared/comments/comment-draft.schema.ts";
import { commentDraftQuery, keepCommentDraft } from "../../api-client/requests.ts";
import { showFailure } from "../../components/toast-queue.ts";

const typingMs = 400;
const blank: CommentDraft = { content: "", files: [] };

/** A comment being written. */
export interface CommentEditor {
  draft: CommentDraft;
  /** Whether what was kept earlier has been read; before that nothing can be typed over it. */
  isReady: boolean;
  write: (content: string) => void;
  addFile: (file: KeptFile) => void;
  removeFile: (id: string) => void;
  /** Forgets what was kept: it was sent, or given up. */
  clear: () => void;
}

/**
 * What stands in an editor of a request. The local API keeps it until it is sent, across windows and restarts.
 * @param place which editor of the request: empty for the conversation, else that of a reply or of an edit.
 * @param initial what stands there when nothing was kept.
 */
export function useCommentDraft(request: string, place: string, initial = blank): CommentEditor {
  const { data } = useQuery(commentDraftQuery(request, place));
  const [typed, setTyped] = useState<CommentDraft | null>(null);
  const kept = data && (data.content || data.files.length > 0) ? data : initial;
  const latest = useRef(kept);
  latest.current = typed ?? kept;
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
  const change = (draft: CommentDraft, shown: CommentDraft | null = draft) => {
    latest.current = draft;
    setTyped(shown);
    clearTimeout(unsaved.current?.timer);
    unsaved.current = { draft, timer: setTimeout(() => flush(false), typingMs) };
  };
  return {
    draft: latest.current,
    isReady: data !== undefined,
    write: (content) => change({ ...latest.current, content }),
    addFile: (file) => change({ ...latest.current, files: [...latest.current.files, file] }),
    removeFile: (id) => change({ ...latest.current, files: latest.current.files.filter((file) => file.id !== id) }),
    clear: () => {
      change(blank);
      flush(false);
    },
  };
}
