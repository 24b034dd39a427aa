import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Bundles the desktop program and `carrel` for a packaged install. Libraries stay in node_modules.
export default defineConfig({
  root: file("."),
  build: {
    ssr: true,
    target: "node24",
    outDir: file("../out/main"),
    emptyOutDir: true,
    rollupOptions: {
      input: {
        index: file("index.ts"),
        cli: file("cli.ts"),
        // Worker threads, started by file name.
        "soundness-worker": file("../shared/database/soundness-worker.ts"),
        "document-worker": file("../shared/documents/document-worker.ts"),
        "search-worker": file("../shared/search/sqlite/search-worker.ts"),
      },
      external: ["electron"],
      output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
