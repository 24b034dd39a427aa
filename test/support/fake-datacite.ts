import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { receivedBody } from "./received-body.ts";

/** One DOI at the agency. */
export interface KnownDoi {
  state: string;
  attributes: Record<string, unknown>;
}

/** Behaviour: answers, refuses with a status, never answers, or executes the call and loses the answer. */
export type Mood = "well" | "silent" | "lost" | number;

/** DataCite's REST API on the loopback, as far as registration needs it. */
export class FakeDatacite {
  mood: Mood = "well";
  readonly dois = new Map<string, KnownDoi>();
  /** Calls in the order of their arrival. */
  readonly calls: { doi: string; authorization: string | undefined; event: unknown }[] = [];
  readonly #server = createServer((req, res) => void this.#answer(req, res));
  url = "";

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { body, isCut } = await receivedBody(req);
    if (isCut) return;
    // Another test may still look for its stopped server on the port that this one was given.
    if (req.method !== "PUT" || !req.url?.startsWith("/dois/")) {
      res.writeHead(404).end();
      return;
    }
    const { data } = JSON.parse(body.toString());
    const doi = decodeURIComponent(req.url.slice("/dois/".length));
    this.calls.push({ doi, authorization: req.headers.authorization, event: data.attributes.event });
    if (this.mood === "silent") return;
    if (typeof this.mood === "number") {
      res.writeHead(this.mood, { "content-type": "application/vnd.api+json" });
      res.end(JSON.stringify({ errors: [{ status: String(this.mood), title: "Not like this." }] }));
      return;
    }
    const { event, ...attributes } = data.attributes;
    const before = this.dois.get(doi)?.attributes ?? {};
    this.dois.set(doi, {
      state: event === "hide" ? "registered" : "findable",
      attributes: { ...before, ...attributes },
    });
    if (this.mood === "lost") res.destroy();
    else res.writeHead(200, { "content-type": "application/vnd.api+json" }).end("{}");
  }
}

/** Starts one, closed at the end of the test. */
export async function givenDatacite(): Promise<FakeDatacite> {
  const datacite = new FakeDatacite();
  await datacite.listen();
  onTestFinished(() => datacite.close());
  return datacite;
}
