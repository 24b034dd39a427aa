import { useQuery } from "@tanstack/react-query";
import { grantsQuery } from "../../api-client/access.ts";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { isEditableQuery } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";

export interface RecordRights {
  mayEdit: boolean;
  mayManage: boolean;
  mayDelete: boolean;
}

/**
 * What the person may do with a record (records 2). A body tells its owner alone: what others may edit is in their own
 * library, by its own id: who reviews a new version may not edit the one before, and who may manage reads who else has access.
 */
export function useRecordRights({ id, parent }: RecordBody): RecordRights {
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  const mayDelete = isSuperuser(person);
  const isMine = parent.access.owned_by.user === (status?.user?.id ?? "local");
  const isOther = status !== undefined && person !== undefined && !isMine && !mayDelete;
  const { data: isShared = false } = useQuery({ ...isEditableQuery(id), enabled: isOther });
  const { isSuccess: readsGrants } = useQuery({ ...grantsQuery(id), retry: false, enabled: isOther && isShared });
  const mayAll = isMine || mayDelete;
  return { mayEdit: mayAll || isShared, mayManage: mayAll || readsGrants, mayDelete };
}
