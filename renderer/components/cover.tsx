import { useState } from "react";
import type { RecordBody } from "../api-client/record-types.ts";
import styles from "./cover.module.css";

type Described = Pick<RecordBody, "id" | "metadata" | "files">;

/** A number from a text, the same for ever (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

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

const mostPictureBytes = 8_000_000;

/** The address of the record's preview file if it is a picture, else of its first picture. */
function pictureOf({ files, id }: Described, isPublished: boolean): string | undefined {
  const entries = Object.values(
    (files.entries ?? {}) as Record<string, { key: string; mimetype?: string; size?: number }>,
  );
  const pictures = entries.filter(
    ({ mimetype = "", size = 0 }) =>
      /^image\/(png|jpeg|gif|webp|avif)$/.test(mimetype) && size > 0 && size <= mostPictureBytes,
  );
  const chosen = pictures.find(({ key }) => key === files.default_preview) ?? pictures[0];
  if (!chosen) return undefined;
  const path = chosen.key.split("/").map(encodeURIComponent).join("/");
  return `/api/records/${id}${isPublished ? "" : "/draft"}/files/${path}/content`;
}

interface CoverProps {
  record: Described & Pick<RecordBody, "is_published">;
  size: "row" | "page";
}

/** What a record looks like at a glance: its first picture, or a mark from its title. It says nothing new to readers. */
export function Cover({ record, size }: CoverProps) {
  const [isBroken, setBroken] = useState(false);
  // A list would fetch many whole files, so its rows have marks.
  const picture = size === "page" && !isBroken ? pictureOf(record, record.is_published) : undefined;
  return (
    <span className={`${styles.cover} ${styles[size]}`} aria-hidden="true">
      {picture ? (
        <img src={picture} alt="" onError={() => setBroken(true)} />
      ) : (
        <Mark text={record.metadata.title ?? record.id} />
      )}
    </span>
  );
}
