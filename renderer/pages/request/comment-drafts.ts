import { useEffect, useState } from "react";

const keyOf = (request: string, thread: string) => `carrel.comment.${request}.${thread}`;

/** A comment being written, kept for this request and thread until it is sent. */
export function useCommentDraft(request: string, thread: string) {
  const key = keyOf(request, thread);
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  useEffect(() => {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  }, [key, text]);
  return [text, setText] as const;
}
