import type { Task } from "./run-task.ts";

/** Does one task in a worker, because some texts take seconds. Loads the parser that the task needs. */
async function done(task: Task): Promise<unknown> {
  if (task.kind === "markdown") return (await import("../../../shared/previews/markdown.ts")).parseMarkdown(task.text);
  if (task.kind === "notebook") return (await import("./code-notebook.ts")).parseColouredNotebook(task.text);
  if (task.kind === "code") return (await import("./highlight.ts")).tokensOf(task.text, task.language);
  return (await import("../../../shared/previews/geojson.ts")).parseGeoJson(task.text);
}

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  done(data).then(
    (answer) => postMessage({ answer }),
    () => postMessage({}),
  );
});
