import type { ApiDocument } from "./api-document.ts";
import type { Answer, CallOptions, HttpClient } from "./http-client.ts";

/** Makes calls in sequence and checks each against the OpenAPI document. */
export class Walker {
  readonly faults: string[] = [];
  readonly #succeeded = new Set<string>();
  readonly #document: ApiDocument;

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  /** Makes a call that must succeed as described. */
  async call(client: HttpClient, verb: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    const answer = await client.call(verb, path, body, options);
    const call = this.#document.find(verb, path);
    if (answer.status >= 400) this.faults.push(`${verb} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    else if (call) this.#succeeded.add(`${call.verb} ${call.path}`);
    const fault = this.#document.faultOf(verb, path, answer);
    if (fault !== undefined) this.faults.push(fault);
    return answer;
  }

  /** A walker with one user's client. */
  as(client: HttpClient) {
    const path = (place: string) => (place.startsWith("http") ? new URL(place).pathname : `/api${place}`);
    return {
      get: (place: string, options?: CallOptions) => this.call(client, "GET", path(place), undefined, options),
      head: (place: string) => this.call(client, "HEAD", path(place)),
      post: (place: string, body?: unknown) => this.call(client, "POST", path(place), body),
      put: (place: string, body?: unknown, options?: CallOptions) =>
        this.call(client, "PUT", path(place), body, options),
      patch: (place: string, body?: unknown, options?: CallOptions) =>
        this.call(client, "PATCH", path(place), body, options),
      delete: (place: string, body?: unknown) => this.call(client, "DELETE", path(place), body),
      octets: (place: string, bytes: string | Uint8Array) =>
        this.call(client, "PUT", path(place), bytes, { headers: { "content-type": "application/octet-stream" } }),
    };
  }

  /** Described calls that never succeeded. */
  neverSucceeded(): string[] {
    const routes = this.#document.calls.filter(({ responses }) => Object.keys(responses).some((code) => code < "4"));
    return routes.map(({ verb, path }) => `${verb} ${path}`).filter((route) => !this.#succeeded.has(route));
  }
}

export type WalkingPerson = ReturnType<Walker["as"]>;
