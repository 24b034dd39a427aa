import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseColouredNotebook as parseNotebook } from "../../renderer/components/preview/code-notebook.ts";
import { featureAt } from "../../renderer/components/preview/draw-map.ts";
import { tokensOf } from "../../renderer/components/preview/highlight.ts";
import { relativePath } from "../../renderer/components/preview/relative-path.ts";
import { endOfRows } from "../../renderer/format/end-of-rows.ts";
import { numberColumns } from "../../shared/previews/csv.ts";
import { parseGeoJson } from "../../shared/previews/geojson.ts";
import { languageOf, previewKind } from "../../shared/previews/kind.ts";
import { mapFrame, roundBelow } from "../../shared/previews/map-frame.ts";
import type { NotebookOutput } from "../../shared/previews/notebook.ts";

const notebookOf = (...outputs: object[]) =>
  parseNotebook(JSON.stringify({ cells: [{ cell_type: "code", source: ["x = 1\n", "x"], outputs }] }));
function outputsOf(...outputs: object[]): NotebookOutput[] {
  const cell = notebookOf(...outputs)?.cells[0];
  return cell?.kind === "code" ? cell.outputs : [];
}
const shown = (data: object) => ({ output_type: "display_data", data });

describe("notebooks (app H7)", () => {
  test("cells keep their order, code has colours, Markdown is read", () => {
    const text = JSON.stringify({
      metadata: { language_info: { name: "Python" } },
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "words"] },
        { cell_type: "code", execution_count: 3, source: "import os", outputs: [] },
        { cell_type: "raw", source: "as it is" },
      ],
    });
    expect(parseNotebook(text)).toMatchObject({
      isWhole: true,
      cells: [
        { kind: "markdown", content: { nodes: [{ tag: "h3" }, { tag: "p" }] } },
        { kind: "code", count: 3, text: "import os", tokens: [{ start: 0, end: 6, colour: "keyword" }] },
        { kind: "raw", text: "as it is" },
      ],
    });
  });

  test("outputs are texts, pictures and errors; HTML, scripts and vector pictures are left out", () => {
    const found = outputsOf(
      { output_type: "stream", name: "stdout", text: ["\u001b[31mred\u001b[0m\n"] },
      { output_type: "error", ename: "E", evalue: "v", traceback: ["\u001b[0;31mTrace"] },
      shown({ "image/png": "iVBO\nRw0=", "text/html": "<script>" }),
      shown({ "text/html": "<script>alert(1)</script>", "text/plain": "table" }),
      shown({ "text/html": "<img src=https://evil.example onerror=alert(1)>" }),
      shown({ "image/svg+xml": "<svg onload=alert(1)>" }),
      shown({ "application/javascript": "alert(1)" }),
      shown({ "image/png": '"onerror=alert(1) x="' }),
    );
    expect(found).toEqual([
      { kind: "text", text: "red\n", isError: false },
      { kind: "text", text: "Trace\n", isError: true },
      { kind: "image", source: "data:image/png;base64,iVBORw0=" },
      { kind: "text", text: "table", isError: false },
      { kind: "omitted", type: "text/html" },
      { kind: "omitted", type: "image/svg+xml" },
      { kind: "omitted", type: "application/javascript" },
      { kind: "omitted", type: "image/png" },
    ]);
  });

  test("what is no notebook is refused, and any JSON ends", () => {
    for (const text of ["", "{}", "[]", "null", "{", `{"cells":{}}`, "[".repeat(500_000)])
      expect(parseNotebook(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (cells) => {
        expect(parseNotebook(JSON.stringify({ cells }))?.cells).toHaveLength(cells.length);
      }),
    );
    const many = parseNotebook(JSON.stringify({ cells: Array.from({ length: 5000 }, () => ({ cell_type: "raw" })) }));
    expect(many).toMatchObject({ isWhole: false });
    expect(many?.cells).toHaveLength(1000);
  });
});

const mapOf = (...geometries: unknown[]) =>
  parseGeoJson(
    JSON.stringify({
      type: "FeatureCollection",
      features: geometries.map((geometry, id) => ({ type: "Feature", geometry, properties: { id } })),
    }),
  );

describe("maps of GeoJSON (app H7)", () => {
  test("points, lines, polygons and collections are drawn; invalid ones are counted", () => {
    const square = [
      [
        [0, 0],
        [2, 0],
        [2, 2],
        [0, 0],
      ],
    ];
    const map = mapOf(
      { type: "Point", coordinates: [10, 50] },
      {
        type: "MultiLineString",
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
          [
            [2, 2],
            [3, 3],
          ],
        ],
      },
      { type: "Polygon", coordinates: square },
      { type: "GeometryCollection", geometries: [{ type: "MultiPoint", coordinates: [[5, 5]] }] },
      null,
      { type: "Point", coordinates: ["10", 50] },
      { type: "Point", coordinates: [10, 99] },
      { type: "Polygon", coordinates: [[[0, 0]]] },
      { type: "constructor", coordinates: [] },
      "text",
    );
    expect(map).toMatchObject({ count: 10, invalid: 5, isWhole: true, bounds: [0, 0, 10, 50] });
    expect(map?.features.map(({ shapes }) => shapes.map(({ kind }) => kind))).toEqual([
      ["point"],
      ["line", "line"],
      ["ring"],
      ["point"],
      [],
    ]);
    expect(map?.features[2]?.properties).toEqual([["id", "2"]]);
  });

  test("what is no GeoJSON is refused, and any geometry ends", () => {
    for (const text of ["", "[]", "{}", `{"type":"Topology"}`, `{"type":"FeatureCollection"}`])
      expect(parseGeoJson(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (features) => {
        expect(parseGeoJson(JSON.stringify({ type: "FeatureCollection", features }))?.count).toBe(features.length);
      }),
    );
    let deep: object = { type: "Point", coordinates: [0, 0] };
    for (let level = 0; level < 2000; level += 1) deep = { type: "GeometryCollection", geometries: [deep] };
    expect(mapOf(deep)).toMatchObject({ invalid: 1 });
  });

  test("of very many positions the first are drawn, and it is said", () => {
    const points = Array.from({ length: 30_000 }, () => ({ type: "Point", coordinates: [1, 1] }));
    expect(mapOf(...points)).toMatchObject({ count: 30_000, isWhole: false });
    const line = { type: "LineString", coordinates: Array.from({ length: 250_000 }, () => [1, 1]) };
    expect(mapOf({ type: "Point", coordinates: [0, 0] }, line)).toMatchObject({ isWhole: false, features: [{}] });
  });

  test("a press finds the feature under it", () => {
    const map = mapOf(
      { type: "Point", coordinates: [0, 0] },
      {
        type: "Polygon",
        coordinates: [
          [
            [4, 0],
            [8, 0],
            [8, 4],
            [4, 4],
            [4, 0],
          ],
        ],
      },
    );
    if (!map) throw new Error("no map");
    const frame = mapFrame(map.bounds, 600, 400);
    expect(featureAt(map, frame, frame.x(0), frame.y(0))).toBe(0);
    expect(featureAt(map, frame, frame.x(6), frame.y(2))).toBe(1);
    expect(featureAt(map, frame, frame.x(2), frame.y(2))).toBe(-1);
    expect([roundBelow(7), roundBelow(499), roundBelow(0.03)]).toEqual([5, 200, 0.02]);
  });
});

describe("tables by pages (app H7)", () => {
  const endOf = (text: string) => endOfRows(new TextEncoder().encode(text));
  test("a page ends after a whole row; a line end in quotes ends none", () => {
    expect(endOf("a,b\n1,2\n3,")).toBe(8);
    expect(endOf('a\n"two\nlines')).toBe(2);
    expect(endOf("x".repeat(100))).toBe(100);
    expect(endOf('"stray\nrow')).toBe(7);
  });
  test("columns of numbers are told from words", () => {
    const rows = [
      ["1", "-2.5", "1e5", "a1", "", "12 %"],
      ["", "3,5", "2", "2", "", "1"],
    ];
    expect(numberColumns(rows, 6)).toEqual([true, true, true, false, false, true]);
  });
});

test("names tell the kind and the language (app H7)", () => {
  expect(["a.pdf", "b.ipynb", "c.GeoJSON", "d.flac", "e.mov", "f.avif", "g.tif", "h.exe"].map(previewKind)).toEqual([
    "pdf",
    "notebook",
    "map",
    "audio",
    "video",
    "image",
    "drawn",
    "none",
  ]);
  expect(["a.py", "b.R", "Makefile", "c.txt"].map(languageOf)).toEqual(["python", "r", "makefile", undefined]);
});

test("colours of code fit their text, whatever it is (app H7)", () => {
  expect(tokensOf('x = "a" # b', "python")).toEqual([
    { start: 4, end: 7, colour: "string" },
    { start: 8, end: 11, colour: "comment" },
  ]);
  expect(tokensOf("x", "no-such")).toEqual([]);
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("python", "xml", "javascript", "latex"), (text, language) => {
      let at = 0;
      for (const { start, end } of tokensOf(text, language)) {
        expect(start).toBeGreaterThanOrEqual(at);
        at = end;
      }
      expect(at).toBeLessThanOrEqual(text.length);
    }),
  );
  expect(tokensOf("1 ".repeat(45_000), "python").length).toBeLessThanOrEqual(40_000);
});

test.each([
  ["docs/read.md", "../a.png", "a.png"],
  ["docs/read.md", "./figures//a.png", "docs/figures/a.png"],
  ["read.md", "../a.png", undefined],
  ["read.md", ".", undefined],
])("%s names %s: %s (app H7)", (from, path, found) => {
  expect(relativePath(from, path)).toBe(found);
});
