/** An answer with its body; JSON is parsed. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  text: string;
  bytes: Buffer;
  headers: Headers;
}

export interface CallOptions {
  headers?: Record<string, string>;
}

/** Chooses the host of the next call. */
export interface HostChoice {
  next(): string;
}

/** Distributes calls over several processes of one server (round-robin). */
export function roundRobin(urls: readonly [string, ...string[]]): HostChoice {
  let calls = 0;
  return { next: () => urls[calls++ % urls.length] ?? urls[0] };
}

/** A user's client of an API. Paths are relative to the host. */
export class HttpClient {
  readonly url: string;
  /** The authorization header; empty without credentials. */
  readonly authorization: string;
  readonly #headers: Record<string, string>;
  readonly #afterChange: () => Promise<void>;
  readonly #hosts: HostChoice;

  constructor(url: string, token?: string, afterChange: () => Promise<void> = async () => {}, hosts?: HostChoice) {
    this.url = url;
    this.authorization = token === undefined ? "" : `Bearer ${token}`;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#afterChange = afterChange;
    this.#hosts = hosts ?? roundRobin([url]);
  }

  /** A client with another token for the same host. */
  withToken = (token: string): HttpClient => new HttpClient(this.url, token, this.#afterChange, this.#hosts);

  get = (path: string, options?: CallOptions): Promise<Answer> => this.call("GET", path, undefined, options);
  head = (path: string, options?: CallOptions): Promise<Answer> => this.call("HEAD", path, undefined, options);
  post = (path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    this.call("POST", path, body, options);
  put = (path: string, body?: unknown, options?: CallOptions): Promise<Answer> => this.call("PUT", path, body, options);
  patch = (path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    this.call("PATCH", path, body, options);
  delete = (path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    this.call("DELETE", path, body, options);

  /** Sends bytes as the content of a file. */
  putBytes(path: string, bytes: string | Uint8Array, options: CallOptions = {}): Promise<Answer> {
    return this.call("PUT", path, bytes, {
      headers: { "content-type": "application/octet-stream", ...options.headers },
    });
  }

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    const content = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
    const response = await fetch(path.startsWith("http") ? path : this.#hosts.next() + path, {
      method,
      headers: {
        ...this.#headers,
        ...(content !== undefined && !isRaw ? { "content-type": "application/json" } : {}),
        ...options.headers,
      },
      redirect: "manual",
      ...(content === undefined ? {} : { body: content as string }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const answer = { status: response.status, headers: response.headers, bytes, text, body: undefined as unknown };
    if (isJson && text !== "") answer.body = JSON.parse(text);
    if (method !== "GET" && method !== "HEAD") await this.#afterChange();
    return answer;
  }
}
