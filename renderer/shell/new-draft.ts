import { useNavigate } from "@tanstack/react-router";
import { createDraft } from "../api-client/records.ts";
import { useChange } from "../components/use-change.ts";
import { newDraftMetadata } from "../pages/draft/new-draft-content.ts";

/** Creates a draft with the user's defaults, and opens it. */
export function useNewDraft() {
  const navigate = useNavigate();
  return useChange(async (_none?: undefined) => createDraft({ metadata: await newDraftMetadata() }), {
    onDone: ({ id }) => navigate({ to: "/uploads/$id", params: { id }, state: { isNew: true } }),
  });
}
