import { queryClient } from "../../api-client/query-client.ts";
import { draftQuery, reserveDoi } from "../../api-client/records.ts";
import { useChange } from "../../components/use-change.ts";
import { useDraftSession } from "./draft-context.ts";

/** Reserves a DOI for the open draft, after saving it. The server does this. */
export function useReserveDoi() {
  const session = useDraftSession();
  return useChange(
    async () => {
      await session.save();
      return reserveDoi(session.id);
    },
    { onSuccess: () => queryClient.invalidateQueries({ queryKey: draftQuery(session.id).queryKey }) },
  );
}
