import { useState } from "react";
import type { RecordBody } from "../api-client/record-types.ts";
import { hashOf } from "../format/text-hash.ts";
import styles from "./cover.module.css";

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

/** The middle of the record's preview file if it is a picture, else of its first picture, drawn by the host. */
function pictureOf({ files, id }: Described, isPublished: boolean, side: number): string | undefined {
  const entries = Object.values((files.entries ?? {}) as Record<string, { key: string; mimetype?: string }>);
  const pictures = entries.filter(({ mimetype = "" }) => drawn.test(mimetype));
  const chosen = pictures.find(({ key }) => key === files.default_preview) ?? pictures[0];
  if (!chosen) return undefined;
  const image = `${isPublished ? "record" : "draft"}:${id}:${encodeURIComponent(chosen.key)}`;
  return `/api/iiif/${image}/square/^${side},/0/default.jpg`;
}

interface CoverProps {
  record: Described & Pick<RecordBody, "is_published">;
  size: "row" | "page";
}

/** What a record looks like at a glance: its first picture, or a mark from its title. It says nothing new to readers. */
export function Cover({ record, size }: CoverProps) {
  const [isBroken, setBroken] = useState(false);
  const picture = isBroken ? undefined : pictureOf(record, record.is_published, sides[size]);
  return (
    <span className={`${styles.cover} ${styles[size]}`} aria-hidden="true">
      {picture ? (
        <img src={picture} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      ) : (
        <Mark text={record.metadata.title ?? record.id} />
      )}
    </span>
  );
}
