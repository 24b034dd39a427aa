import { expect, onTestFinished, test } from "vitest";
import { Counter, gauge, Histogram, metricsText } from "../../server/metrics/metric-families.ts";
import { startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { givenDraft, givenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

/** The values of a text of metrics, by name and labels. */
const read = (text: string): Map<string, number> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const at = line.lastIndexOf(" ");
      return line === "" || line.startsWith("#") ? [] : [[line.slice(0, at), Number(line.slice(at + 1))]];
    }),
  );

test("the text of metrics is that of Prometheus 0.0.4; what cannot be read is left out (scale 9)", async () => {
  const calls = new Counter("calls_total", "Calls");
  calls.add({ route: 'a"b\\c\nd' });
  calls.add({ route: 'a"b\\c\nd' });
  const time = new Histogram("time_seconds", "Time", [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 7]) time.observe({ route: "/" }, value);
  const away = gauge("away", "Never", async () => {
    throw new Error("the database is away");
  });
  const text = await metricsText([calls, away, time, gauge("free", "Free", () => [{ value: 2.5 }])]);
  expect(text).toBe(`# HELP calls_total Calls
# TYPE calls_total counter
calls_total{route="a\\"b\\\\c\\nd"} 2
# HELP time_seconds Time
# TYPE time_seconds histogram
time_seconds_bucket{route="/",le="0.1"} 2
time_seconds_bucket{route="/",le="1"} 3
time_seconds_bucket{route="/",le="+Inf"} 4
time_seconds_sum{route="/"} 7.65
time_seconds_count{route="/"} 4
# HELP free Free
# TYPE free gauge
free 2.5
`);
});

test("GET /metrics on its own port: requests by route, streams, jobs, queues, bytes; no ids, no names (scale 9)", async () => {
  const api = await startApi("server", { aloneBecause: "it opens the data folder again" });
  const { token } = await api.person("ada");
  await api.server.close();
  const options = ["--data", api.dataDir, "--port", "0", "--metrics-port", "0", "--log-level", "error"];
  const server = new CarrelProcess(["server", ...options]);
  onTestFinished(async () => {
    await server.stop();
  });
  const { url, metrics = "" } = await server.ready();
  const ada = new HttpClient(url, token);
  const id = await givenRecord(ada);
  const draft = await givenDraft(ada);
  await ada.get(`/api/records/${id}`);
  await ada.get("/api/records/abcde-fgh12");
  await ada.get("/nowhere/at-all");
  const scrape = async () => (await fetch(metrics)).text();
  const events = new AbortController();
  await fetch(`${url}/api/sync/events`, { headers: { authorization: ada.authorization }, signal: events.signal });
  const text = await scrape();
  events.abort();
  const values = read(text);
  const of = (route: string, status: number) =>
    values.get(`carrel_http_requests_total{method="GET",route="${route}",status="${status}"}`);
  expect([of("/api/records/:id", 200), of("/api/records/:id", 404), of("none", 404)]).toEqual([1, 1, 1]);
  expect(values.get('carrel_http_request_duration_seconds_count{method="GET",route="/api/records/:id"}')).toBe(2);
  expect(values.get('carrel_http_requests_open{route="/api/sync/events"}')).toBe(1);
  expect(values.get('carrel_queue_length{queue="mail",state="failing"}')).toBe(0);
  expect(values.get('carrel_queue_length{queue="doi",state="refused"}')).toBe(0);
  expect(values.get("carrel_ready")).toBe(1);
  expect(values.get("carrel_blob_bytes")).toBeGreaterThanOrEqual(0);
  expect(values.get("carrel_database_repeats_total")).toBe(0);
  expect(values.get('nodejs_eventloop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
  expect(values.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  for (const secret of [id, draft, token, "ada", "abcde-fgh12", "at-all"]) expect(text).not.toContain(secret);
  await until(async () => [...read(await scrape()).keys()].some((name) => name.startsWith("carrel_job_runs")), "a run");
  expect((await fetch(metrics.replace("/metrics", "/"))).status, "nothing else there").toBe(404);
  expect((await new HttpClient(url).get("/metrics")).status, "not on the public port").toBe(404);
});

test("bad values of the options are refused in words (scale 9)", async () => {
  const wrong = async (...options: string[]) => {
    const { code, stderr } = await runCarrel("server", "--data", "/nonexistent/x", ...options);
    return [code, stderr.trim()];
  };
  const answers = await Promise.all([wrong("--metrics-port", "high"), wrong("--drain", "-1"), wrong("--drain=1.5")]);
  expect(answers).toEqual([
    [2, "--metrics-port must be a number from 0 to 65535, not 'high'."],
    [2, expect.stringContaining("--drain")],
    [2, "--drain must be a number of seconds from 0 to 3600, not '1.5'."],
  ]);
});
