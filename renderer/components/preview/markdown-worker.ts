import { parseMarkdown } from "./markdown.ts";

// Parses one text in a worker, because some texts of a megabyte take seconds.
addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(parseMarkdown(data)));
