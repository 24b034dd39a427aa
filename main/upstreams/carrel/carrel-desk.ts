import { z } from "zod";
import { noteKey } from "../../../shared/desk/desk.schema.ts";
import { isObject } from "../../../shared/kernel/json.ts";
import { bodyOf, type Transport } from "../../sync/transport.ts";
import type { UpstreamDesk } from "../../sync/upstream.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";

/** What the pages read of a template. A shape of zod would put its members into another order. */
const template = z.custom<object>(
  (value) =>
    isObject(value) && typeof value.name === "string" && [value.metadata, value.access].every((part) => isObject(part)),
  "A template has a name, metadata and access.",
);
const notesAnswer = z.object({ notes: z.array(z.object({ key: noteKey, value: template })) });

/** The user's templates on a Carrel server. */
export function carrelDesk(transport: Transport): UpstreamDesk {
  const pathOf = (shelf: string, key: string) => `/api/sync/desk/${shelf}/${encodeURIComponent(key)}`;
  return {
    async list(shelf, signal) {
      const answer = await transport.call("GET", `/api/sync/desk/${shelf}`, undefined, { signal });
      const { notes } = validateAnswer(notesAnswer, bodyOf(answer));
      return new Map(notes.map(({ key, value }) => [key, JSON.stringify(value)]));
    },
    async keep(shelf, key, text) {
      bodyOf(await transport.call("PUT", pathOf(shelf, key), { value: JSON.parse(text) }));
    },
    async remove(shelf, key) {
      bodyOf(await transport.call("DELETE", pathOf(shelf, key)));
    },
  };
}
