import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createUpstreams } from "../../main/upstreams/upstreams.ts";
import { givenFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";

/** Connecting stores nothing until the server is known, so no database is needed. */
const upstreams = createUpstreams({} as Parameters<typeof createUpstreams>[0]);

async function givenServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([503, 502, 429])(
  "a site that is away or asks for fewer calls (%i) is no server of another kind: the answer says to try later",
  async (status) => {
    for (const atHello of [true, false]) {
      const server = await givenServer((req, res) => {
        const isHello = req.url === "/api/sync/hello";
        res.writeHead(isHello && !atHello ? 404 : status, { "content-type": "text/html" }).end("<h1>Away</h1>");
      });
      const message = `The server cannot be used now: it answered ${status}. Try again later.`;
      await expect(upstreams.welcome(server, "a-token")).rejects.toMatchObject({ kind: "invalid", message });
    }
  },
);

test("an address that leads to another one says which to enter", async () => {
  const location = "https://library.example.org/api/sync/hello";
  const server = await givenServer((_req, res) =>
    res.writeHead(301, { location, "content-type": "text/html" }).end("<p>"),
  );
  const message = "This address leads to https://library.example.org. Enter that one.";
  await expect(upstreams.welcome(server, "a-token")).rejects.toMatchObject({ kind: "invalid", message });
});

test("an InvenioRDM whose proxy says in HTML that it does not know a path is recognised (upstreams 5.1)", async () => {
  const fake = await givenFakeInvenio();
  const { token } = fake.person("ada");
  const server = await givenServer((req, res) => {
    if (req.url === "/api/sync/hello") return void res.writeHead(404, { "content-type": "text/html" }).end("<p>");
    const { accept = "*/*", authorization = "" } = req.headers;
    const headers = { accept, ...(authorization === "" ? {} : { authorization }) };
    void fetch(`${fake.url}${req.url}`, { headers }).then(async (answer) => {
      const type = answer.headers.get("content-type") ?? "";
      res.writeHead(answer.status, { "content-type": type }).end(await answer.text());
    });
  });
  const { account } = await upstreams.welcome(server, token);
  expect(account).toMatchObject({ server, upstream: { kind: "invenio" } });
});
