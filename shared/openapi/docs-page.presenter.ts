/** What the page shows of one call. */
export interface DocumentedCall {
  tag: string;
  route: string;
  summary: string;
  answer: number;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

const row = ({ route, summary, answer }: DocumentedCall): string => {
  const [verb = "", path = ""] = route.split(" ");
  return `<tr><td><code>${verb}</code></td><td><code>/api${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td><td>${answer}</td></tr>`;
};

function section(tag: string, calls: readonly DocumentedCall[]): string {
  const rows = calls.filter((call) => call.tag === tag).map(row);
  const head =
    '<tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th><th scope="col">Answer</th></tr>';
  return `<h2>${escapeHtml(tag)}</h2><table><thead>${head}</thead><tbody>${rows.join("")}</tbody></table>`;
}

/** The page of the API for people: no script, nothing from elsewhere. */
export function docsPage(calls: readonly DocumentedCall[], version: string): string {
  const tags = [...new Set(calls.map(({ tag }) => tag))];
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Carrel API ${escapeHtml(version)}</title></head>`,
    `<body><h1>Carrel API ${escapeHtml(version)}</h1>`,
    '<p>The whole description, with the shapes of all bodies: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).',
    " Send <code>Authorization: Bearer &lt;token&gt;</code>. GET routes answer HEAD as well.</p>",
    ...tags.map((tag) => section(tag, calls)),
    "</body></html>",
  ].join("\n");
}
