import type { RecordBody } from "../../shared/records/record.presenter.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import type { ShownFile } from "./file-rows.ts";

export interface ShownVersion {
  id: string;
  label: string;
  date: string;
  address: string;
}

export interface ShownRecord {
  record: PresentedRecord;
  /** The same as the API's answer. */
  body: RecordBody;
  /** Undefined if the caller may not see them. */
  files: readonly ShownFile[] | undefined;
  /** Newest first; only those that the caller may read. */
  versions: readonly ShownVersion[];
  isDraft: boolean;
  /** The caller sees this by an access link, until this date if the link ends. */
  link?: { until: string | undefined };
  /** The caller has links, none of which opens this: one of them may have ended. */
  hasOtherLinks?: boolean;
  /** What the signed-in user may do with it; undefined for users who may only read. */
  own?: { mayManage: boolean };
  /** Everybody may read the record, so search engines may list it. */
  isPublic: boolean;
}
