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
 * The user's rights to a record (records 2). The record's body names its owner only. The query for
 * edit rights names the version, since a reviewer may edit one version only. Whoever may read the grants may manage.
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
