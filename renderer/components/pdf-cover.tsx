import { useEffect, useRef } from "react";
import styles from "./cover.module.css";
import { openPdf } from "./preview/open-pdf.ts";

/** Pixels of the shorter side, twice of what is shown, for fine screens. */
const sidePx = 192;

/** The top of the first page of a PDF, drawn here from the ranges that it needs. */
export function PdfCover({ url, onBroken }: { url: string; onBroken: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const broken = useRef(onBroken);
  broken.current = onBroken;
  useEffect(() => {
    const task = openPdf(url);
    let isLeft = false;
    const draw = async () => {
      const page = await (await task.promise).getPage(1);
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: sidePx / Math.min(width, height) });
      if (isLeft || !canvas.current) return;
      // The square cuts a long page below its title.
      canvas.current.width = sidePx;
      canvas.current.height = sidePx;
      await page.render({ canvas: canvas.current, viewport }).promise;
      if (canvas.current) canvas.current.dataset.drawn = "";
    };
    draw().catch(() => isLeft || broken.current());
    return () => {
      isLeft = true;
      void task.destroy();
    };
  }, [url]);
  return <canvas ref={canvas} className={styles.sheet} />;
}
