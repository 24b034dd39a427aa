import { listen } from "../../shared/kernel/listen.ts";
import type { ServerMetrics } from "./server-metrics.ts";

/** A port of its own for `GET /metrics`, since the metrics are not for strangers. */
export interface MetricsPort {
  url: string;
  close(): Promise<void>;
}

/** @throws Failure `unavailable` when the port is in use or not permitted. */
export async function openMetricsPort(metrics: ServerMetrics, hostName: string, port: number): Promise<MetricsPort> {
  const listening = await listen(
    async (req, res) => {
      const isWanted = req.method === "GET" && req.url?.split("?")[0] === "/metrics";
      const text = isWanted ? await metrics.text() : "";
      res.writeHead(isWanted ? 200 : 404, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    },
    hostName,
    port,
  );
  const name = hostName.includes(":") ? `[${hostName}]` : hostName;
  return {
    url: `http://${name}:${listening.port}/metrics`,
    async close() {
      metrics.stop();
      await listening.close(0);
    },
  };
}
