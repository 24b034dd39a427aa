import { useNavigate } from "@tanstack/react-router";
import { createDraft } from "../api-client/records.ts";
import { useChange } from "../components/use-change.ts";

/** Creates a draft, from a citation if requested, and opens it. */
export function useNewDraft() {
  const navigate = useNavigate();
  return useChange((_ask?: "import") => createDraft(), {
    onDone: ({ id }, ask) =>
      navigate({ to: "/uploads/$id", params: { id }, search: { ask }, state: { isNew: ask === undefined } }),
  });
}
