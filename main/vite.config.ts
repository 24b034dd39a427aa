import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { installedLibraries } from "./packaging/installed-libraries.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The icons of the server's pages, which the program reads from beside its own files. */
const icons: Plugin = {
  name: "carrel-icons",
  async generateBundle() {
    for (const fileName of ["mark.svg", "touch-icon.png"])
      this.emitFile({ type: "asset", fileName, source: await readFile(file(`../renderer/${fileName}`)) });
  },
};

/** Clients of what only large servers use. They get files of their own, which the desktop's installers leave out. */
const ofEngines = /[/]node_modules[/](@aws-sdk|@smithy|@aws|hash-wasm|pg)[/]/;

// Bundles the desktop program and `carrel` for an install, libraries included: a bundle starts in a third of the time
// of its sources and takes two thirds of their memory.
export default defineConfig({
  root: file("."),
  plugins: [icons],
  ssr: { noExternal: true, external: [...installedLibraries, "electron"] },
  build: {
    ssr: true,
    target: "node24",
    outDir: file("../out/main"),
    emptyOutDir: true,
    license: { fileName: "licenses.md" },
    rollupOptions: {
      input: {
        index: file("index.ts"),
        cli: file("cli.ts"),
        // Worker threads, started by file name.
        "backup-worker": file("../server/backups/backup-worker.ts"),
        "file-preview-worker": file("../server/file-pages/file-preview-worker.ts"),
        "soundness-worker": file("../shared/database/soundness-worker.ts"),
        "picture-worker": file("../shared/pictures/picture-worker.ts"),
        "document-worker": file("../shared/documents/document-worker.ts"),
        "search-worker": file("../shared/search/sqlite/search-worker.ts"),
      },
      output: {
        format: "es",
        entryFileNames: "[name].js",
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => ofEngines.test(id)) ? "engines/[name]-[hash].js" : "[name]-[hash].js",
      },
    },
  },
});
