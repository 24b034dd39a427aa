import { queryOptions } from "@tanstack/react-query";
import { randomId } from "../format/random-id.ts";
import { call } from "./request.ts";

/** Another user who has the draft open, or the same user on another computer. */
export interface PresentUser {
  seat: number;
  /** User id. */
  id: string;
  name: string;
  /** Path of the field that has the cursor, such as `metadata.title`. */
  field: string | null;
}

export const presenceKey = (draft: string) => ["presence", draft];

/** Filled by the event stream only, which first sends who is there. */
export const presenceQuery = (draft: string) =>
  queryOptions<PresentUser[]>({ queryKey: presenceKey(draft), enabled: false, initialData: [] });

const window = randomId();
const seat = (draft: string) => `/api/sync/presence/${draft}/${window}`;

/** Reports that this window has the draft open, with the cursor in this field. Repeat within 40 s. */
export const reportPresence = (draft: string, field: string | null) => call("PUT", seat(draft), { body: { field } });
export const leaveSeat = (draft: string) => call("DELETE", seat(draft), { keepalive: true });
