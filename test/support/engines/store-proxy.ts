import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** What a planted fault does instead of the store. @returns whether it answered */
export type StoreFault = (req: IncomingMessage, res: ServerResponse) => boolean;

/** An error as S3 stores send it. */
export const refusal =
  (status: number, code: string): StoreFault =>
  (req, res) => {
    req.resume();
    res.writeHead(status, { "content-type": "application/xml" });
    res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>planted</Message></Error>`);
    return true;
  };

/** Answers with anything. */
export const answer =
  (status: number, body: string | Iterable<Buffer>, headers: Record<string, string> = {}): StoreFault =>
  (req, res) => {
    req.resume();
    res.writeHead(status, headers);
    if (typeof body === "string") res.end(body);
    else
      Readable.from(body)
        .on("error", () => undefined)
        .pipe(res);
    return true;
  };

/** The fault for calls that match, none for others. */
export const onlyFor =
  (calls: RegExp, fault: StoreFault): StoreFault =>
  (req, res) =>
    calls.test(`${req.method} ${req.url}`) && fault(req, res);

/** Breaks the connection off. */
export const cutOff: StoreFault = (req) => {
  req.socket.destroy();
  return true;
};

/** A proxy before a store, which counts its calls and plants faults. */
export class StoreProxy {
  readonly #server: Server;
  readonly #port: number;
  /** Method and query of each call, such as `PUT ?partNumber=1&uploadId=x`. */
  readonly calls: string[] = [];
  /** Bytes of the bodies that went to the store. */
  sentBytes = 0;
  fault: StoreFault | undefined;
  /** Breaks answers off after this many bytes of an object. */
  breakAfter = Number.POSITIVE_INFINITY;
  /** Whether the store gets a call and its answer is lost. */
  losesAnswer: (call: string) => boolean = () => false;

  constructor(port: number) {
    this.#port = port;
    this.#server = createServer((req, res) => this.#pass(req, res));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  /** Calls that wait for their answer or its end. */
  openCalls = 0;

  /** Calls since the last `forget`, by method. */
  get counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const call of this.calls) {
      const method = call.split(" ", 1)[0] ?? "";
      counts[method] = (counts[method] ?? 0) + 1;
    }
    return counts;
  }

  forget(): void {
    this.calls.length = 0;
    this.sentBytes = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(req: IncomingMessage, res: ServerResponse): void {
    const [, query = ""] = req.url?.split("?") ?? [];
    const call = `${req.method} ?${query}`;
    this.calls.push(call);
    this.openCalls += 1;
    res.once("close", () => {
      this.openCalls -= 1;
    });
    if (this.fault?.(req, res)) return;
    const { method, headers, url } = req;
    const onward = request({ host: "127.0.0.1", port: this.#port, path: url, method, headers }, (answer) => {
      if (this.losesAnswer(call)) {
        answer.resume();
        return void answer.once("end", () => req.socket.destroy());
      }
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      if (method === "GET") this.#limit(answer, res);
      answer.pipe(res);
    });
    onward.on("error", () => res.destroy());
    res.on("close", () => onward.destroy());
    req.on("data", (chunk: Buffer) => {
      this.sentBytes += chunk.byteLength;
    });
    req.pipe(onward);
  }

  #limit(answer: IncomingMessage, res: ServerResponse): void {
    let passed = 0;
    answer.on("data", (chunk: Buffer) => {
      passed += chunk.byteLength;
      if (passed > this.breakAfter) res.destroy();
    });
  }
}
