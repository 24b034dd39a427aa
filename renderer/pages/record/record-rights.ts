import { useQuery } from "@tanstack/react-query";
import { grantsQuery } from "../../api-client/access.ts";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { countQuery } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";

export interface RecordRights {
  mayEdit: boolean;
  mayManage: boolean;
  mayDelete: boolean;
}

/**
 * What the person may do with a record (records 2). A body tells its owner alone: what others may edit is in their own
 * library, and who may manage reads who else has access.
 */
export function useRecordRights({ id, parent }: RecordBody): RecordRights {
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  const mayDelete = isSuperuser(person);
  const isMine = parent.access.owned_by.user === (status?.user?.id ?? "local");
  const isOther = status !== undefined && person !== undefined && !isMine && !mayDelete;
  const mine = { view: "mine", q: `parent.id:${parent.id}`, sort: "", facets: {}, isRemote: false } as const;
  const { data: shared = 0 } = useQuery({ ...countQuery(mine), enabled: isOther });
  const { isSuccess: readsGrants } = useQuery({ ...grantsQuery(id), retry: false, enabled: isOther && shared > 0 });
  const mayAll = isMine || mayDelete;
  return { mayEdit: mayAll || shared > 0, mayManage: mayAll || readsGrants, mayDelete };
}
