import { useNavigate } from "@tanstack/react-router";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { submitReview } from "../../api-client/requests.ts";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { useDraftSession } from "./draft-context.ts";

interface Submission {
  /** Names who reviews the draft with this id. */
  prepare: (draftId: string) => Promise<unknown>;
  /** The first comment; may be empty. */
  comment: string;
  /** The message shown after the submission. */
  words: (request: ReviewRequest) => string;
  onClose: () => void;
}

/** Saves and submits the draft for review, closes the dialog and opens the request. */
export function useSubmission({ prepare, comment, words, onClose }: Submission) {
  const navigate = useNavigate();
  const session = useDraftSession();
  return useChange(
    async () => {
      await session.save();
      await prepare(session.id);
      return submitReview(session.id, comment);
    },
    {
      showsErrorHere: true,
      onSuccess: (request) => showToast({ tone: "ok", text: words(request) }),
      onDone: async (request) => {
        onClose();
        await navigate({ to: "/me/requests/$id", params: { id: request.id } });
      },
    },
  );
}
