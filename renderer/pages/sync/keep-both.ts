import { queryClient } from "../../api-client/query-client.ts";
import { draftQuery, saveDraft } from "../../api-client/records.ts";
import { chooseConflict } from "../../api-client/sync.ts";
import type { Conflict } from "../../api-client/sync-types.ts";
import { contentOf } from "../draft/draft-content.ts";

/** How two texts are joined: titles side by side, descriptions one after the other. */
const between: Record<string, string> = { "metadata.title": " / ", "metadata.description": "" };

export const hasRoomForBoth = ({ path, mine, theirs }: Conflict): boolean =>
  path in between && typeof mine === "string" && typeof theirs === "string";

/** Appends the lost value, which resolves the conflict. @throws ApiFailure like a save */
export async function keepBoth(conflict: Conflict): Promise<void> {
  const { id, record, path, mine } = conflict;
  const field = path.replace("metadata.", "");
  const body = await queryClient.fetchQuery({ ...draftQuery(record), staleTime: 0 });
  const content = contentOf(body);
  const both = [content.metadata[field], mine].filter(Boolean).join(between[path]);
  await saveDraft(record, { ...content, metadata: { ...content.metadata, [field]: both } }, { basis: body });
  await chooseConflict(id, "theirs");
}
