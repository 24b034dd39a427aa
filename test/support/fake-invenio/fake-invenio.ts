import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { HttpClient } from "../http-client.ts";
import { receivedBody } from "../received-body.ts";
import type { Call } from "./call.ts";
import { FakeSite, type SiteOptions } from "./site.ts";

/** The fake on the loopback. */
export interface FakeInvenio {
  site: FakeSite;
  url: string;
  /** A person with a token, and a client that sends it. */
  person(name: string): { id: string; username: string; email: string; token: string; client: HttpClient };
  guest: HttpClient;
  stop(): Promise<void>;
}

async function answer(site: FakeSite, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { body, isCut } = await receivedBody(req);
  const call: Call = {
    ...{ method: req.method ?? "GET", url: req.url ?? "/", body, isCut, address: req.socket.remoteAddress ?? "" },
    headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)])),
  };
  const { status, headers, body: content, isLost } = await site.call(call);
  if (isLost || isCut) res.destroy();
  else res.writeHead(status, { ...headers, "content-length": content.length }).end(content);
}

export async function startFakeInvenio(options: Omit<SiteOptions, "url"> = {}): Promise<FakeInvenio> {
  const site = new FakeSite(options);
  const failed = (res: ServerResponse) => (error: Error) => {
    process.stderr.write(`the fake InvenioRDM failed: ${error.stack}\n`);
    if (!res.headersSent) res.writeHead(599);
    res.end();
  };
  const server = createServer((req, res) => void answer(site, req, res).catch(failed(res)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    site,
    url: site.url,
    person: (name) => {
      const person = site.person(name);
      return { ...person, client: new HttpClient(site.url, person.token) };
    },
    guest: new HttpClient(site.url),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts one, stopped at the end of the test. */
export async function givenFakeInvenio(options: Omit<SiteOptions, "url"> = {}): Promise<FakeInvenio> {
  const fake = await startFakeInvenio(options);
  onTestFinished(() => fake.stop());
  return fake;
}
