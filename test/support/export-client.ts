import { get, type IncomingHttpHeaders } from "node:http";
import { createGunzip } from "node:zlib";

/** Order of the parent process (see export.bench.ts). */
export interface ExportOrder {
  url: string;
  path: string;
  accept: string;
}

export interface ExportReport {
  totalMs: number;
  bytes: number;
  /** Durations of `/ping` calls meanwhile. */
  pingsMs: number[];
  /** Calls of a short gzipped list meanwhile, and how many were complete. */
  requested: number;
  whole: number;
}

interface Fetched {
  bytes: number;
  text: string;
  headers: IncomingHttpHeaders;
}

/** Fetches and unzips an answer. @throws Error if it is truncated. */
function fetchAnswer(address: string, accept: string, keepsText: boolean): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const headers = { accept, "accept-encoding": "gzip" };
    get(address, { headers, agent: false }, (res) => {
      if (res.statusCode !== 200) reject(new Error(`${address} was answered ${res.statusCode}`));
      const plain = res.headers["content-encoding"] === "gzip" ? res.pipe(createGunzip()) : res;
      let [bytes, text] = [0, ""];
      plain.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (keepsText) text += chunk;
      });
      plain.once("end", () => resolve({ bytes, text, headers: res.headers }));
      plain.once("error", reject);
      res.once("aborted", () => reject(new Error("the answer was cut")));
    }).once("error", reject);
  });
}

async function carryOut({ url, path, accept }: ExportOrder): Promise<ExportReport> {
  const report: ExportReport = { totalMs: 0, bytes: 0, pingsMs: [], requested: 0, whole: 0 };
  const started = performance.now();
  let isDone = false;
  const ping = async () => {
    while (!isDone) {
      const requested = performance.now();
      await fetchAnswer(`${url}/ping`, "*/*", false);
      report.pingsMs.push(performance.now() - requested);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const askBeside = async () => {
    while (!isDone) {
      report.requested += 1;
      const { text, headers } = await fetchAnswer(`${url}/api/records?size=100`, "application/json", true);
      if (headers["content-encoding"] === "gzip" && JSON.parse(text).hits.hits.length === 100) report.whole += 1;
    }
  };
  const work = async () => {
    report.bytes = (await fetchAnswer(url + path, accept, false)).bytes;
    report.totalMs = performance.now() - started;
    isDone = true;
  };
  await Promise.all([work(), ping(), askBeside()]);
  return report;
}

process.once("message", (order: ExportOrder) => {
  carryOut(order).then(
    (report) => process.send?.(report, () => process.disconnect()),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
