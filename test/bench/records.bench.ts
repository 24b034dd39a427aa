import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { openServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/kernel/settings.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { HttpClient } from "../support/http-client.ts";
import { measureThroughput } from "../support/load.ts";
import { type BenchCase, byTurns } from "./bench-case.ts";

const metadata = {
  title: "Sea surface temperature anomalies",
  description: "<p>Monthly means on a grid of four kilometres.</p>",
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  creators: [
    {
      person_or_org: { type: "personal", family_name: "Hopper", given_name: "Grace" },
      affiliations: [{ name: "Meteor" }],
    },
    { person_or_org: { type: "personal", family_name: "Lovelace", given_name: "Ada" } },
  ],
  rights: [{ id: "cc-by-4.0" }],
  languages: [{ id: "eng" }],
  subjects: [{ subject: "oceanography" }, { subject: "temperature" }],
};

async function perSecond(url: string): Promise<number> {
  const { perSecond: rate, failures } = await measureThroughput(url, { seconds: 2 });
  if (failures > 0) throw new Error(`${failures} calls failed.`);
  return rate;
}

/** `GET /api/records/{id}` of a real server against the same JSON from bare Express. */
export const bench: BenchCase = {
  name: "GET /api/records/{id}",
  reach: ">= 0.35",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
    const server = await openServer({
      dataDir: folder,
      hostName: "127.0.0.1",
      port: 0,
      settings: defaultSettings,
      environment: machineEnvironment(),
      log: createLog("error"),
    });
    const person = { username: "grace", email: "grace@example.org" };
    const userId = await server.services.users.create(newUser.parse(person));
    const grant = { userId, byPassword: false, defaultScopes: ["read", "write"] as const };
    const { secret } = await server.services.tokens.issue(grant, { name: "bench" });
    const grace = new HttpClient(server.url, secret);
    const draft = await grace.post("/api/records", { files: { enabled: false }, metadata });
    await grace.post(`/api/records/${draft.body.id}/draft/actions/publish`);
    const address = `${server.url}/api/records/${draft.body.id}`;
    const { body } = await grace.get(`/api/records/${draft.body.id}`);
    const app = express();
    app.get("/record", (_req, res) => void res.json(body));
    const bare = createServer(app);
    await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = bare.address() as AddressInfo;
      const rates = await byTurns(
        () => perSecond(address),
        () => perSecond(`http://127.0.0.1:${port}/record`),
      );
      return { ...rates, unit: "calls/s", against: "the same JSON from bare Express 5" };
    } finally {
      bare.closeAllConnections();
      bare.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
