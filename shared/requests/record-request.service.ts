import type { AccessService } from "../access/access.service.ts";
import { isAtLeast } from "../access/level.policy.ts";
import type { Db } from "../database/open.ts";
import { findDraft } from "../drafts/draft.reader.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import type { RecordService } from "../records/record.service.ts";
import { insertRequest, listOpenOnTopic } from "./request.repository.ts";
import { type CreateRecordRequest, createRecordRequest } from "./request.schema.ts";
import { newRequest, type ReceiverCheck } from "./review-input.service.ts";

const refTo = (id: string): ObjectRef => ({ kind: "request", id });

export interface RecordRequestService {
  /** @throws Failure 404, 403, 410; 400 by field, or while another request on the record is open. */
  create(caller: Caller, input: CreateRecordRequest): Promise<string>;
  /** Checks that the caller may read the record or draft, and so list its requests. @throws Failure 404, 403, 410. */
  requireTopic(db: Db, caller: Caller, recordId: string): Promise<void>;
}

export interface RecordRequestParts {
  host: Host;
  access: AccessService;
  records: RecordService;
  receivers: ReceiverCheck;
}

/** Requests on published records (requests 4.2). */
export function recordRequestService({ host, access, records, receivers }: RecordRequestParts): RecordRequestService {
  const create = (caller: Caller, input: CreateRecordRequest): Promise<string> =>
    host.write(caller, createRecordRequest, input, async (tx, { now }) => {
      const { record } = await records.find(tx, caller, input.recordId);
      await access.require(tx, caller, record.parent_id, "manage");
      if ((await listOpenOnTopic(tx, record.id)).length > 0) {
        throw new Failure("invalid", "There is an open request on this record already.");
      }
      const topic = { recordId: record.id, parentId: record.parent_id };
      const request = await newRequest(tx, receivers, caller, topic, { id: input.id, body: input.body, now });
      await insertRequest(tx, request);
      return { result: request.id, object: refTo(request.id), touched: [refTo(request.id)], title: "Ask for a review" };
    });

  return {
    create,
    async requireTopic(db, caller, recordId) {
      const draft = await findDraft(db, recordId);
      if (draft && isAtLeast((await access.ofDraft(db, caller, draft)).level, "preview")) {
        await records.findDraft(db, recordId);
        return;
      }
      if (draft?.is_edit === 0) throw forbidden();
      await records.require(db, caller, recordId);
    },
  };
}
