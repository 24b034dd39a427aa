import { queryOptions } from "@tanstack/react-query";
import { call } from "./request.ts";

/** Somebody else who has the draft open; oneself on another computer as well. */
export interface PersonHere {
  seat: number;
  /** User id. */
  id: string;
  name: string;
  /** Path of the field she is in, such as `metadata.title`. */
  field: string | null;
}

export const presenceKey = (draft: string) => ["presence", draft];

/** Filled by the event stream alone: it tells in their order who comes and goes, and first who is there already. */
export const presenceQuery = (draft: string) =>
  queryOptions<PersonHere[]>({ queryKey: presenceKey(draft), enabled: false, initialData: [] });

const window = crypto.randomUUID();
const seat = (draft: string) => `/api/sync/presence/${draft}/${window}`;

/** This window has the draft open, with the cursor in this field; to be said again within 40 s. */
export const sit = (draft: string, field: string | null) => call("PUT", seat(draft), { body: { field } });
export const leaveSeat = (draft: string) => call("DELETE", seat(draft), { keepalive: true });
