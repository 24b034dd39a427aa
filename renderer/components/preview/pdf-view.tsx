import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../button.tsx";
import { Busy, InlineNotice } from "../notice.tsx";
import { openPdf, TextLayer } from "./open-pdf.ts";
import styles from "./pdf-view.module.css";

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const gapPx = 12;
const sidePx = 24;
/** Pixels of the largest page that is drawn. */
const maxCanvasPixels = 16_000_000;

interface OpenedPdf {
  pdf: PDFDocumentProxy;
  /** The size of the first page, in points. Other pages are measured when they are drawn. */
  width: number;
  height: number;
}

function usePdf(url: string): OpenedPdf | Error | undefined {
  const [opened, setOpened] = useState<OpenedPdf | Error>();
  useEffect(() => {
    const task = openPdf(url);
    let isLeft = false;
    const open = async () => {
      const pdf = await task.promise;
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
      return { pdf, width, height };
    };
    open().then(
      (pdf) => isLeft || setOpened(pdf),
      (error: unknown) => isLeft || setOpened(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      isLeft = true;
      void task.destroy();
    };
  }, [url]);
  return opened;
}

/** A PDF: pages are drawn when they come into view. Its scripts, forms and links do nothing. */
export function PdfView({ name, url }: { name: string; url: string }) {
  const { t } = useTranslation();
  const opened = usePdf(url);
  if (opened === undefined) return <Busy />;
  if (opened instanceof Error) {
    const needsPassword = opened.name === "PasswordException";
    return <InlineNotice tone="warn">{t(needsPassword ? "preview.pdf_locked" : "preview.pdf_broken")}</InlineNotice>;
  }
  return <Pages name={name} {...opened} />;
}

function Pages({ name, pdf, width, height }: OpenedPdf & { name: string }) {
  const scroll = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const element = scroll.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scale = (Math.max(200, room - sidePx) / width) * zoom;
  const pages = useVirtualizer({
    count: pdf.numPages,
    getScrollElement: () => scroll.current,
    estimateSize: () => height * scale + gapPx,
    overscan: 1,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: pages have other heights at another scale
  useEffect(() => pages.measure(), [scale]);
  const visible = pages.getVirtualItems();
  const middle = (pages.scrollOffset ?? 0) + (scroll.current?.clientHeight ?? 0) / 2;
  const current = (visible.find(({ end }) => end > middle)?.index ?? 0) + 1;
  const go = (page: number) => pages.scrollToIndex(page - 1, { align: "start" });
  return (
    <div className={styles.viewer}>
      <PdfBar page={current} count={pdf.numPages} onPage={go} zoom={zoom} onZoom={setZoom} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: pages must be scrollable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a region of its own would be a landmark */}
      <div ref={scroll} className={styles.scroll} tabIndex={0} role="group" aria-label={name}>
        <div className={styles.pages} style={{ height: pages.getTotalSize(), minWidth: width * scale + sidePx }}>
          {room > 0 &&
            visible.map(({ index, start }) => (
              <div
                key={index}
                ref={pages.measureElement}
                data-index={index}
                className={styles.place}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Page pdf={pdf} number={index + 1} scale={scale} width={width} height={height} />
              </div>
            ))}
        </div>
      </div>
    </div>
  );
}

interface PdfBarProps {
  page: number;
  count: number;
  onPage: (page: number) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
}

function PdfBar({ page, count, onPage, zoom, onZoom }: PdfBarProps) {
  const { t } = useTranslation();
  const at = zooms.indexOf(zoom);
  return (
    <div className={styles.bar}>
      <IconButton
        small
        icon={ChevronLeft}
        label={t("preview.previous_page")}
        isDisabled={page <= 1}
        onPress={() => onPage(page - 1)}
      />
      <IconButton
        small
        icon={ChevronRight}
        label={t("preview.next_page")}
        isDisabled={page >= count}
        onPress={() => onPage(page + 1)}
      />
      <input
        key={page}
        className={styles.number}
        type="number"
        min={1}
        max={count}
        defaultValue={page}
        aria-label={t("preview.page")}
        onKeyDown={(event) => event.key === "Enter" && onPage(Math.min(count, Number(event.currentTarget.value) || 1))}
      />
      <span>{t("preview.of_pages", { count: count })}</span>
      <span className={styles.push} />
      <IconButton
        small
        icon={ZoomOut}
        label={t("preview.zoom_out")}
        isDisabled={at <= 0}
        onPress={() => onZoom(zooms[at - 1] ?? 1)}
      />
      <span className={styles.zoom}>{Math.round(zoom * 100)} %</span>
      <IconButton
        small
        icon={ZoomIn}
        label={t("preview.zoom_in")}
        isDisabled={at >= zooms.length - 1}
        onPress={() => onZoom(zooms[at + 1] ?? 1)}
      />
    </div>
  );
}

interface PageProps {
  pdf: PDFDocumentProxy;
  number: number;
  scale: number;
  width: number;
  height: number;
}

function Page({ pdf, number, scale, width, height }: PageProps) {
  const { t } = useTranslation();
  const sheet = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const left = new AbortController();
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (left.signal.aborted || !sheet.current || !canvas.current || !words.current) return;
      const viewport = page.getViewport({ scale });
      sheet.current.style.width = `${viewport.width}px`;
      sheet.current.style.height = `${viewport.height}px`;
      sheet.current.style.setProperty("--total-scale-factor", `${scale}`);
      const maxScale = Math.sqrt(maxCanvasPixels / (viewport.width * viewport.height));
      const pixels = Math.min(window.devicePixelRatio || 1, maxScale);
      canvas.current.width = Math.floor(viewport.width * pixels);
      canvas.current.height = Math.floor(viewport.height * pixels);
      const drawn = page.render({ canvas: canvas.current, viewport, transform: [pixels, 0, 0, pixels, 0, 0] });
      left.signal.addEventListener("abort", () => drawn.cancel());
      await drawn.promise;
      if (left.signal.aborted || !words.current) return;
      words.current.replaceChildren();
      const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: words.current, viewport });
      left.signal.addEventListener("abort", () => layer.cancel());
      await layer.render();
    };
    // A page that cannot be drawn stays empty; the others are shown.
    draw().catch(() => undefined);
    return () => left.abort();
  }, [pdf, number, scale]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: pages are no sections of the app
    <div
      ref={sheet}
      className={styles.sheet}
      role="group"
      aria-label={t("preview.page_number", { number })}
      style={{ width: width * scale, height: height * scale }}
    >
      <canvas ref={canvas} />
      <div ref={words} className={styles.words} />
    </div>
  );
}
