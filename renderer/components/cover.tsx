import { lazy, Suspense, useState } from "react";
import type { RecordBody } from "../api-client/record-types.ts";
import { encodePath } from "../api-client/request.ts";
import { hashOf } from "../format/text-hash.ts";
import styles from "./cover.module.css";

const PdfCover = lazy(async () => ({ default: (await import("./pdf-cover.tsx")).PdfCover }));

type Described = Pick<RecordBody, "id" | "metadata" | "files">;

const hues = ["accent", "ok", "warn", "danger", "info", "local"] as const;
/** A quarter of a circle in a tile, in four turns. */
const arcs = [
  "M0 0H32A32 32 0 0 1 0 32Z",
  "M32 0V32A32 32 0 0 1 0 0Z",
  "M32 32H0A32 32 0 0 1 32 0Z",
  "M0 32V0A32 32 0 0 1 32 32Z",
];

/** A mark drawn from the title: four tiles with a quarter of a circle each. */
function Mark({ text }: { text: string }) {
  const hash = hashOf(text);
  return (
    <svg
      viewBox="0 0 64 64"
      aria-hidden="true"
      className={`${styles.mark} ${styles[hues[hash % hues.length] ?? "accent"]}`}
    >
      {[0, 1, 2, 3].map((tile) => {
        const bits = hash >>> (4 + tile * 5);
        return (
          <path
            key={tile}
            d={arcs[bits & 3]}
            transform={`translate(${(tile % 2) * 32} ${tile > 1 ? 32 : 0})`}
            opacity={[1, 0.72, 0.46, 0.28][(bits >>> 2) & 3]}
          />
        );
      })}
    </svg>
  );
}

const drawn = /^image\/(png|jpeg|gif|tiff)$/;
/** Pixels, twice of what is shown, for fine screens. */
const sides = { row: 64, page: 192 } as const;

interface Entry {
  key: string;
  mimetype?: string;
}

/** The file to show: the record's preview file if it can be drawn, else its first picture, else its first document. */
function chosenFile({ files }: Described): Entry | undefined {
  const entries = Object.values((files.entries ?? {}) as Record<string, Entry>);
  const pictures = entries.filter(({ mimetype = "" }) => drawn.test(mimetype));
  const documents = entries.filter(({ mimetype }) => mimetype === "application/pdf");
  const all = [...pictures, ...documents];
  return all.find(({ key }) => key === files.default_preview) ?? all[0];
}

/** The middle of a picture, drawn by the host. */
function pictureOf({ key }: Entry, { id, is_published }: Shown, side: number): string {
  const image = `${is_published ? "record" : "draft"}:${id}:${encodeURIComponent(key)}`;
  return `/api/iiif/${image}/square/^${side},/0/default.jpg`;
}

const documentOf = ({ key }: Entry, { id, is_published }: Shown): string =>
  `/api/records/${id}${is_published ? "" : "/draft"}/files/${encodePath(key)}/content`;

type Shown = Described & Pick<RecordBody, "is_published">;

interface CoverProps {
  record: Shown;
  size: "row" | "page";
}

/** A record at a glance: its first picture or page, or a mark from its title. It says nothing new to readers. */
export function Cover({ record, size }: CoverProps) {
  const [isBroken, setBroken] = useState(false);
  const file = isBroken ? undefined : chosenFile(record);
  const isPicture = drawn.test(file?.mimetype ?? "");
  const mark = <Mark text={record.metadata.title ?? record.id} />;
  return (
    <span className={`${styles.cover} ${styles[size]}`} aria-hidden="true">
      {file && isPicture && (
        <img
          src={pictureOf(file, record, sides[size])}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      )}
      {/* A row would be too small to read, and a list would open many documents. */}
      {file && !isPicture && size === "page" && (
        <Suspense fallback={mark}>
          <PdfCover url={documentOf(file, record)} onBroken={() => setBroken(true)} />
        </Suspense>
      )}
      {(!file || (!isPicture && size === "row")) && mark}
    </span>
  );
}
