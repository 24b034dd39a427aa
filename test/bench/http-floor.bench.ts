import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { measureThroughput } from "../support/load.ts";
import { type BenchCase, byTurns } from "./bench-case.ts";

const body = { id: "01234-56789", title: "A record of ordinary size", files: ["a.csv", "b.csv"], count: 2 };

async function callsPerSecond(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const { perSecond, failures } = await measureThroughput(`http://127.0.0.1:${port}/record`, { seconds: 1.5 });
    if (failures > 0) throw new Error(`${failures} calls failed.`);
    return perSecond;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function bareExpress(): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.get("/record", (_req, res) => void res.json(body));
  return app;
}

const bareHttp: RequestListener = (_req, res) => {
  const text = JSON.stringify(body);
  res.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }).end(text);
};

/** Checks the measurement itself: the framework that we use against Node's bare server. */
export const bench: BenchCase = {
  name: "HTTP floor: GET JSON of bare Express",
  reach: ">= 0.4",
  run: async () => ({
    ...(await byTurns(
      () => callsPerSecond(bareExpress()),
      () => callsPerSecond(bareHttp),
    )),
    unit: "calls/s",
    against: "bare node:http",
  }),
};
