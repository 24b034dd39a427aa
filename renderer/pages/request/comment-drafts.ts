import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { commentDraftQuery, keepCommentDraft } from "../../api-client/requests.ts";
import { showFailure } from "../../components/toast-queue.ts";

const typingMs = 400;

/** The comment being written on a request. It is kept by the local API, so that a refused one can be offered there again. */
export function useCommentDraft(request: string) {
  const { data } = useQuery(commentDraftQuery(request));
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(
      () => void keepCommentDraft(request, typed).catch(showFailure),
      typed === "" ? 0 : typingMs,
    );
    return () => clearTimeout(timer);
  }, [request, typed]);
  return [typed ?? data?.content ?? "", setTyped] as const;
}

/** A reply being written, kept in this window's storage until it is sent. */
export function useReplyDraft(request: string, parent: string) {
  const key = `carrel.reply.${request}.${parent}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  useEffect(() => {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  }, [key, text]);
  return [text, setText] as const;
}
