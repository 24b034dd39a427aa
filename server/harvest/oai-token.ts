import { createHmac, timingSafeEqual } from "node:crypto";
import type { HarvestPlace } from "./harvest.service.ts";
import { OaiError, type Verb } from "./oai-arguments.ts";

/** The position in a list with the whole request, so that the server stores nothing about a harvest. */
export interface ListState {
  verb: Verb;
  metadataPrefix: string;
  set?: string | undefined;
  /** The digest of the query of the set, if it is a collection. */
  rules?: string | undefined;
  from: number;
  /** The end of the list, fixed at its first page. */
  until: number;
  /** The harvester named the end. */
  isUntilGiven: boolean;
  /** The last item that was sent; absent at the first page. */
  after?: HarvestPlace;
  /** How many items were sent before. */
  cursor: number;
  completeListSize: number;
}

/** Writes and reads resumption tokens. They are signed for one repository. */
export function resumptionTokens(secret: Uint8Array, namespace: string) {
  const sign = (text: string): Buffer =>
    createHmac("sha256", secret).update(`oai-pmh\n${namespace}\n${text}`).digest().subarray(0, 16);
  return {
    write(state: ListState): string {
      const text = Buffer.from(JSON.stringify(state)).toString("base64url");
      return `${text}.${sign(text).toString("base64url")}`;
    },
    /** @throws OaiError `badResumptionToken` for a token that this server did not make, or made for another verb. */
    read(token: string, verb: Verb): ListState {
      const [text = "", signature = ""] = token.split(".");
      const sent = Buffer.from(signature, "base64url");
      const expected = sign(text);
      const hasForm = token === `${text}.${signature}` && sent.length === expected.length;
      if (!hasForm || !timingSafeEqual(sent, expected))
        throw new OaiError("badResumptionToken", "The resumption token is not one of this repository.");
      const state: ListState = JSON.parse(Buffer.from(text, "base64url").toString());
      if (state.verb !== verb) throw new OaiError("badResumptionToken", `The token belongs to the verb ${state.verb}.`);
      return state;
    },
  };
}
