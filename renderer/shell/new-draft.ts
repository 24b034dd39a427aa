import { useNavigate } from "@tanstack/react-router";
import { createDraft } from "../api-client/records.ts";
import { useChange } from "../components/use-change.ts";

/** Begins a draft, by a citation when that is asked for, and leads there. */
export function useNewDraft() {
  const navigate = useNavigate();
  return useChange((_ask?: "import") => createDraft(), {
    onDone: ({ id }, ask) => navigate({ to: "/uploads/$id", params: { id }, search: { ask } }),
  });
}
