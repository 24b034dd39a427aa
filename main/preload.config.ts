import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// A sandboxed preload script must be one CommonJS file.
export default defineConfig({
  root: file("."),
  build: {
    target: "node24",
    outDir: file("../out/preload"),
    emptyOutDir: true,
    minify: false,
    lib: { entry: file("preload.ts"), formats: ["cjs"], fileName: () => "preload.cjs" },
    rollupOptions: { external: ["electron"] },
  },
});
