import { Agent, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Answer } from "./http-client.ts";

function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === "gzip") return gunzipSync(bytes);
  return encoding === "br" ? brotliDecompressSync(bytes) : bytes;
}

/** Calls over persistent connections without the restrictions of fetch: any header, path and body. */
export class PlainClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #timeoutMs: number;

  constructor(url: string, timeoutMs = 10_000) {
    this.#url = new URL(url);
    this.#timeoutMs = timeoutMs;
  }

  /** @throws Error if there is no answer in time. */
  async call(method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<Answer> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const { hostname, port } = this.#url;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sized = body === undefined ? headers : { ...headers, "content-length": String(body.length) };
      const call = request({ hostname, port, method, path, headers: sized, agent: this.#agent, signal }, resolve);
      call.once("error", reject);
      call.end(body);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const bytes = unpacked(Buffer.concat(chunks), response.headers["content-encoding"]);
    const known = new Headers();
    for (const [name, value] of Object.entries(response.headers)) known.set(name, String(value));
    const text = bytes.toString();
    const isJson = /json/.test(response.headers["content-type"] ?? "") && text !== "";
    return {
      status: response.statusCode ?? 0,
      body: isJson ? JSON.parse(text) : undefined,
      text,
      bytes,
      headers: known,
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}
