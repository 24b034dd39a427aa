import { HttpClient } from "./http-client.ts";

/** A browser without script: keeps cookies and sends forms as a page of the site does. */
export class FormBrowser {
  readonly #client: HttpClient;
  readonly #cookies: Map<string, string>;

  /** @param cookies as if they came from another browser. */
  constructor(url: string, cookies: ReadonlyMap<string, string> = new Map()) {
    this.#client = new HttpClient(url);
    this.#cookies = new Map(cookies);
  }

  cookies = (): Map<string, string> => new Map(this.#cookies);

  get headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { accept: "text/html", "user-agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0", cookie };
  }

  get csrf(): Record<string, string> {
    return { ...this.headers, accept: "application/json", "x-csrftoken": this.#cookies.get("csrftoken") ?? "" };
  }

  async open(path: string) {
    return this.#keep(await this.#client.get(path, { headers: this.headers }));
  }

  /** Sends the fields of a form. @param from the origin of the page that has it. */
  async send(path: string, fields: Record<string, string>, from: string = this.#client.url) {
    const headers = { ...this.headers, "content-type": "application/x-www-form-urlencoded", origin: from };
    return this.#keep(await this.#client.post(path, new URLSearchParams(fields).toString(), { headers }));
  }

  #keep<A extends { headers: Headers }>(answer: A): A {
    for (const text of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/Max-Age=0/.test(text)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}
