import { useNavigate } from "@tanstack/react-router";
import type { RecordBody } from "../api-client/record-types.ts";
import { copiedContent, createDraft } from "../api-client/records.ts";
import type { StartingPoint } from "../api-client/templates.ts";
import { typeAhead } from "../components/type-ahead.ts";
import { useChange } from "../components/use-change.ts";
import { newDraftMetadata } from "../pages/draft/new-draft-content.ts";

/** The user's defaults, with all that the starting point says instead. */
async function createFrom(from: StartingPoint | undefined): Promise<RecordBody> {
  const defaults = await newDraftMetadata();
  if (!from) return createDraft({ metadata: defaults });
  const { metadata, custom_fields } = copiedContent(from);
  const { record, files } = from.access;
  return createDraft({
    metadata: { ...defaults, ...metadata },
    custom_fields,
    access: { record, files, embargo: { active: false, reason: null } },
  });
}

/** Creates a draft, and gives its title what the user types until it is open. */
async function createAndType(): Promise<RecordBody> {
  let path: string | undefined;
  const end = typeAhead(() =>
    path !== undefined && location.pathname.endsWith(path)
      ? document.getElementById("field-metadata.title")?.querySelector("textarea")
      : null,
  );
  try {
    const draft = await createFrom(undefined);
    path = `/uploads/${draft.id}`;
    return draft;
  } catch (error) {
    end();
    throw error;
  }
}

/** Creates a draft from a template or another work, else with the user's defaults alone, and opens it. */
export function useNewDraft() {
  const navigate = useNavigate();
  return useChange((from?: StartingPoint) => (from ? createFrom(from) : createAndType()), {
    onDone: ({ id }) => navigate({ to: "/uploads/$id", params: { id }, state: { isNew: true } }),
  });
}
