import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, TextLayer } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

export { TextLayer };

GlobalWorkerOptions.workerSrc = workerUrl;

const addresses = (files: Record<string, unknown>): [name: string, url: string][] =>
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf("/") + 1), String(url)]);

/** Character maps, standard fonts and decoders of pictures, from our own files. */
const bundled = new Map<string, string>([
  ...addresses(
    import.meta.glob("/../node_modules/pdfjs-dist/cmaps/*.bcmap", { query: "?url", import: "default", eager: true }),
  ),
  ...addresses(
    import.meta.glob("/../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}", {
      query: "?url",
      import: "default",
      eager: true,
    }),
  ),
  ...addresses(
    import.meta.glob("/../node_modules/pdfjs-dist/wasm/{openjpeg,jbig2,qcms_bg}.wasm", {
      query: "?url",
      import: "default",
      eager: true,
    }),
  ),
]);

class BundledData {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = bundled.get(filename);
    if (url === undefined) throw new Error(`${filename} is not part of the app.`);
    return new Uint8Array(await (await fetch(url)).arrayBuffer());
  }
}

/** Opens a PDF by ranges. Nothing in it runs: no scripts, no forms, and only its own bytes are loaded. */
export const openPdf = (url: string): PDFDocumentLoadingTask =>
  getDocument({
    url,
    BinaryDataFactory: BundledData,
    useWorkerFetch: false,
    cMapPacked: true,
    disableAutoFetch: true,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: 100_000_000,
    verbosity: 0,
  });
