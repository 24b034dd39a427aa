import { bundleSchema } from "../../../shared/bundles/bundle.schema.ts";
import type { Db } from "../../../shared/database/open.ts";
import { operatorSettings } from "../../../shared/sync-protocol/feed.schema.ts";
import { pushAnswer } from "../../../shared/sync-protocol/push.schema.ts";
import { vocabularyPage } from "../../../shared/sync-protocol/vocabularies.schema.ts";
import { bodyOf, type Transport } from "../../sync/transport.ts";
import type { Upstream } from "../../sync/upstream.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import { carrelDesk } from "./carrel-desk.ts";
import { PageFetcher } from "./page-fetcher.ts";
import { PageSize } from "./page-size.ts";
import { pushCall } from "./push-call.ts";
import { readPage } from "./read-page.ts";
import { confirmSentPosition, keepSentPosition, readLives, sentPosition } from "./sent-position.ts";

/** The part of the protocol that consists of JSON calls alone. */
export type CarrelCalls = Omit<Upstream, "bytes" | "pass" | "liveAddress" | "prepare">;

/** A Carrel server by the sync protocol (hosts-and-sync 3 to 5). */
export function carrelCalls(db: Db, transport: Transport, pageSize = new PageSize()): CarrelCalls {
  const pages = new PageFetcher(transport, pageSize);
  const postPush = pushCall(transport);
  return {
    async probe(timeoutMs) {
      bodyOf(await transport.call("GET", "/api/sync/settings", undefined, { timeoutMs }));
    },
    async page(cursor, waitSeconds) {
      const known = cursor === undefined ? undefined : await sentPosition(db);
      const { isPrefetched, answer } = await pages.fetch(cursor, waitSeconds, known?.position);
      if (answer.status === 410 && cursor !== undefined) return { state: "restored" };
      if (known && !isPrefetched && answer.status < 300) await confirmSentPosition(db, known);
      if (answer.status === 204) return { state: "unchanged", isPrefetched };
      const page = await readPage(db, answer, cursor, () => pages.fetchWhole(cursor));
      return { state: "page", page, isPrefetched };
    },
    wholePage: (cursor) => pages.fetchWhole(cursor),
    prefetch: (cursor) => pages.prefetch(cursor),
    async push(operations, cursor) {
      const [lives, known] = [await readLives(db), await sentPosition(db)];
      const answer = await postPush({ operations, cursor, known: known?.position });
      if (answer.status === 410) return "restored";
      const taken = validateAnswer(pushAnswer, bodyOf(answer));
      await keepSentPosition(db, lives, taken);
      return taken.outcomes;
    },
    open: async (kind, id) =>
      validateAnswer(bundleSchema, bodyOf(await transport.call("POST", "/api/sync/open", { kind, id }))),
    async words(cursor, limit, signal) {
      const path = `/api/sync/vocabularies?cursor=${encodeURIComponent(cursor)}&limit=${limit}`;
      return validateAnswer(vocabularyPage, bodyOf(await transport.call("GET", path, undefined, { signal })));
    },
    desk: carrelDesk(transport),
    settings: async (signal) =>
      validateAnswer(
        operatorSettings,
        bodyOf(await transport.call("GET", "/api/sync/settings", undefined, { signal })),
      ),
  };
}
