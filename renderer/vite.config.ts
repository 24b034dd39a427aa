import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

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
      onLog(level, log, report) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
      },
    },
  },
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
