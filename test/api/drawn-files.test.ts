import { beforeAll, expect, test } from "vitest";
import { mapHtml } from "../../server/file-pages/map-html.ts";
import { wordsIn } from "../../server/pages/words.ts";
import { type Api, startApi } from "../support/api.ts";
import { givenRecord } from "../support/files.ts";
import { picture } from "../support/pictures.ts";

const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
let api: Api;
let id: string;

const feature = (geometry: unknown, properties: object = {}) => ({ type: "Feature", properties, geometry });
const collection = (...features: unknown[]): string => JSON.stringify({ type: "FeatureCollection", features });
const output = (data: object) => ({ output_type: "display_data", data });
const notebook = (...cells: object[]): string =>
  JSON.stringify({ nbformat: 4, metadata: { language_info: { name: "python" } }, cells });
const codeCell = (source: string, ...outputs: object[]) => ({
  ...{ cell_type: "code", execution_count: 3, source },
  outputs,
});

const square = [
  [10, 54],
  [12, 54],
  [12, 56],
  [10, 56],
  [10, 54],
];

beforeAll(async () => {
  api = await startApi("server");
  const plot = await picture(30, 20, "png");
  id = await givenRecord(await api.as("alice"), {
    "map/stations.geojson": collection(
      feature({ type: "Polygon", coordinates: [square] }, { name: "<b>Kiel</b>", depth: 12 }),
      feature({ type: "LineString", coordinates: square.slice(0, 2) }, { name: "Track" }),
      feature({ type: "Point", coordinates: [11, 55] }, { depth: 3 }),
      feature({ type: "Point", coordinates: ["NaN", 55] }),
    ),
    "infinite.geojson": '{"type":"Point","coordinates":[1e999,2]}',
    "nan.geojson": '{"type":"Point","coordinates":[NaN,2]}',
    "deep.geojson": `${"[".repeat(300_000)}${"]".repeat(300_000)}`,
    "points.geojson": collection(
      ...Array.from({ length: 9000 }, (_one, at) => feature({ type: "Point", coordinates: [at % 170, at % 80] })),
    ),
    "long.geojson": JSON.stringify({
      type: "LineString",
      coordinates: Array.from({ length: 80_000 }, (_one, at) => [(at * 7) % 170, (at * 11) % 80]),
    }),
    "large.geojson": collection(feature({ type: "Point", coordinates: [1, 2] }, { text: "x".repeat(2_100_000) })),
    "run/plot.ipynb": notebook(
      { cell_type: "markdown", source: ["# Aim\n", "<script>alert(1)</script> [the map](../map/stations.geojson)"] },
      codeCell(
        "print('<hello>')",
        { output_type: "stream", name: "stdout", text: "<i>hello</i>" },
        output({ "image/png": plot.toString("base64"), "text/plain": "<Figure>" }),
        output({ "image/png": "AAAA" }),
        output({ "text/html": "<img src=x onerror=alert(1)>" }),
        { output_type: "error", ename: "ValueError", evalue: "no", traceback: [] },
      ),
      { cell_type: "raw", source: "<iframe>" },
    ),
    "none.ipynb": "{}",
  });
}, 120_000);

const page = async (key: string, language = "en") => {
  const address = `/records/${id}/files/${key}`;
  const answer = await api.anonymous.get(address, { headers: { ...asBrowser.headers, "accept-language": language } });
  expect(answer.status, key).toBe(200);
  return answer;
};

test("GeoJSON is drawn without a script, with the properties as a table (web 4)", async () => {
  const { text, headers } = await page("map/stations.geojson");
  expect(text.match(/<path class="area"/g)).toHaveLength(1);
  expect(text.match(/<path class="line"/g)).toHaveLength(1);
  // Dots keep their size on a phone (issue 18).
  expect(text.match(/<path class="point" d="M\d+ \d+h0"/g)).toHaveLength(1);
  expect(text).toContain("<span>4 features</span><span>10°E – 12°E, 54°N – 56°N</span><span>1 without a valid shape");
  expect(text).toContain('<th scope="col">name</th>');
  expect(text).toContain("<td>&lt;b&gt;Kiel&lt;/b&gt;</td>");
  expect(text).not.toContain("<b>Kiel");
  expect(headers.get("content-security-policy")).toContain("img-src 'self';");
  expect((await page("map/stations.geojson", "de")).text).toContain("10°O – 12°O");
  const point = { type: "Point", coordinates: [12.5, 54.25] };
  expect(mapHtml(wordsIn("de"), point)?.html).toContain("<span>12,5°O – 12,5°O, 54,25°N – 54,25°N</span>");
});

test("a map that is none, too deep, too large or without numbers is shown as text (web 4)", async () => {
  for (const key of ["nan.geojson", "deep.geojson", "large.geojson"]) {
    const { text } = await page(key);
    expect(text, key).not.toContain('class="map"');
    expect(text, key).toContain('<pre class="code"');
  }
  const { text } = await page("infinite.geojson");
  expect(text).toContain("1 without a valid shape");
  expect(text).not.toMatch(/NaN|Infinity/);
});

test("a map of many points or one long line is drawn on a coarser grid, within 500 kB (web 4)", async () => {
  const points = (await page("points.geojson")).text;
  expect(points).toContain("9,000 features");
  for (const text of [points, (await page("long.geojson")).text]) {
    expect(text).toContain('class="map"');
    expect(text.length).toBeLessThan(500_000);
  }
});

test("a notebook is shown as it was saved: words, code, pictures, nothing that runs (web 4)", async () => {
  const { text, headers } = await page("run/plot.ipynb");
  expect(text).toContain("<h3>Aim</h3>");
  expect(text).toContain(`/records/${id}/files/map/stations.geojson">the map</a>`);
  expect(text).toContain("Code [3]");
  expect(text).toContain("print(&#39;&lt;hello&gt;&#39;)");
  expect(text).toContain("&lt;i&gt;hello&lt;/i&gt;");
  expect(text).toMatch(
    /<img class="picture" src="data:image\/png;base64,[\w+/=]+" alt="[^"]+" width="30" height="20">/,
  );
  expect(text.match(/src="data:/g)).toHaveLength(1);
  expect(text).toContain("Output that is not shown here: text/html");
  expect(text).toContain("ValueError: no");
  for (const live of ["<script>alert", "onerror=alert", "<iframe>"]) expect(text).not.toContain(live);
  expect(headers.get("content-security-policy")).toContain("img-src 'self' data:;");
});

test("what is no notebook is shown as text (web 4)", async () => {
  expect((await page("none.ipynb")).text).toContain('<pre class="code"');
});
