import { z } from "zod";
import type { Db } from "../../../shared/database/open.ts";
import { httpTransport } from "../../sync/transport.ts";
import type { Account, Upstream } from "../../sync/upstream.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import { downloadBlob } from "./blob-download.ts";
import { carrelCalls } from "./carrel-upstream.ts";
import type { PageSize } from "./page-size.ts";
import { passCall } from "./pass-call.ts";
import type { ReplicaRegistration } from "./replica-registration.ts";
import { hasBlob, type RequestSize, uploadBlob } from "./uploads.ts";
import { wireHeaders } from "./wire-headers.ts";

const ticketAnswer = z.object({ ticket: z.string().max(1000) });

export interface CarrelOptions {
  db: Db;
  /** Outlive a connection: whether this folder is registered, and how fast the connection was. */
  registration: ReplicaRegistration;
  requestSize: RequestSize;
  pageSize: PageSize;
}

/** A Carrel server over HTTP. */
export function carrelServer(
  { db, registration, requestSize, pageSize }: CarrelOptions,
  account: Account,
  signal: AbortSignal,
): Upstream {
  const transport = httpTransport({ ...account, headers: wireHeaders, signal });
  const target = { ...account, headers: wireHeaders };
  return {
    ...carrelCalls(db, transport, pageSize),
    prepare: () => registration.register(transport, account.server),
    bytes: {
      has: (sha256) => hasBlob(target, sha256),
      send: (blobs, wanted, progress) => uploadBlob(target, blobs, wanted, requestSize, progress),
      onSendFailed: () => requestSize.shrink(),
      read: (sha256, range) => downloadBlob(account, signal, sha256, range),
    },
    pass: (req, method) => passCall(account, signal, req, method),
    async liveAddress(document) {
      const answer = await transport.call("POST", "/api/sync/ticket", { document });
      if (answer.status !== 201) return undefined;
      const { ticket } = validateAnswer(ticketAnswer, answer.body);
      const place = `/api/sync/documents/${document}?ticket=${encodeURIComponent(ticket)}`;
      return account.server.replace(/^http/, "ws") + place;
    },
  };
}
