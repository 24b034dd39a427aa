import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** Files of other types are compressed already. */
const compressible = /[.](js|css|svg|json|wasm|map)$/;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes `.br` and `.gz` beside each file, so that a host need not compress it for each user. */
const compressAssets = (): Plugin => ({
  name: "compress-assets",
  apply: "build",
  async writeBundle({ dir = "" }) {
    const assets = join(dir, "assets");
    for (const name of (await readdir(assets)).filter((name) => compressible.test(name))) {
      const bytes = await readFile(join(assets, name));
      await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(bytes, brotli));
      await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    }
  },
});

/** The entries keep files of their own: the public pages' script loads nothing of the app. */
const isOfApp = (id: string): boolean => !/[\\/]renderer[\\/]enhance[\\/]/.test(id);

// The local API serves the app under a strict content security policy: no inline script, no data: font, all assets from
// the same origin. In development `CARREL_API` names that API.
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  build: {
    outDir: "../out/renderer",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    chunkSizeWarningLimit: 900,
    license: { fileName: "licenses.md" },
    // "use client" directives of libraries mean nothing here.
    rolldownOptions: {
      input: {
        index: fileURLToPath(new URL("index.html", import.meta.url)),
        // The script of the server's public pages, in a file of its own.
        enhance: fileURLToPath(new URL("enhance/enhance.ts", import.meta.url)),
      },
      output: {
        codeSplitting: {
          groups: [
            // `no-eval.ts` sets zod up, so it stands beside zod and runs before any schema of another file.
            { name: "zod", test: /node_modules[\\/]zod[\\/]|[\\/]no-eval[.]ts$/, priority: 2 },
            // One file of what every page needs, one of what most pages need: the rest is small and loaded with its page.
            { name: "start", test: isOfApp, tags: ["$initial"], priority: 1 },
            { name: "pages", test: isOfApp, minShareCount: 3 },
          ],
        },
      },
      onLog(level, log, report) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
      },
    },
  },
  plugins: [compressAssets()],
  worker: { format: "es" },
  server: {
    host: "127.0.0.1",
    proxy: process.env.CARREL_API
      ? {
          "/api": {
            target: process.env.CARREL_API,
            changeOrigin: true,
            headers: process.env.CARREL_TOKEN ? { Authorization: `Bearer ${process.env.CARREL_TOKEN}` } : {},
          },
        }
      : {},
  },
});
