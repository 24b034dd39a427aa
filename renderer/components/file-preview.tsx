import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { getText } from "../api-client/request.ts";
import { formatBytes } from "../format/amounts.ts";
import styles from "./file-preview.module.css";
import { Busy, InlineNotice } from "./notice.tsx";

type Kind = "image" | "text" | "audio" | "video" | "none";

const textNames =
  /\.(txt|md|csv|tsv|json|jsonl|ya?ml|xml|html?|css|js|ts|py|r|rmd|sh|sql|tex|bib|ris|log|ini|toml|c|h|cpp|java|go|rs|m|jl|cff|geojson)$/i;
const plainNames = /(^|\/)(readme|licen[cs]e|changelog|makefile|dockerfile|authors|citation)$/i;
const textBytes = 1024 * 1024;

export function previewKind(name: string): Kind {
  if (/\.(png|jpe?g|gif|webp|bmp)$/i.test(name)) return "image";
  if (/\.(mp3|ogg|wav)$/i.test(name)) return "audio";
  if (/\.(mp4|webm)$/i.test(name)) return "video";
  return textNames.test(name) || plainNames.test(name) ? "text" : "none";
}

/** What is inside a file, where a browser can show it safely: text, images, sound, films. */
export function FilePreview({
  name,
  url,
  size,
  isBounded = true,
}: {
  name: string;
  url: string;
  size: number;
  isBounded?: boolean;
}) {
  const { t } = useTranslation();
  const [isBroken, setBroken] = useState(false);
  const kind = previewKind(name);
  if (kind === "none" || isBroken) return <p className={styles.note}>{t("preview.none")}</p>;
  if (kind === "text") return <TextPreview url={url} size={size} isBounded={isBounded} />;
  if (kind === "image")
    return (
      <div className={styles.frame}>
        <img className={styles.image} src={url} alt={name} onError={() => setBroken(true)} />
      </div>
    );
  // biome-ignore lint/a11y/useMediaCaption: deposited media bring no captions
  if (kind === "audio") return <audio className={styles.media} src={url} controls onError={() => setBroken(true)} />;
  // biome-ignore lint/a11y/useMediaCaption: deposited media bring no captions
  return <video className={styles.media} src={url} controls onError={() => setBroken(true)} />;
}

function TextPreview({ url, size, isBounded }: { url: string; size: number; isBounded: boolean }) {
  const { t } = useTranslation();
  const isLarge = size > textBytes * 8;
  const { data, error, isPending } = useQuery({
    queryKey: ["preview", url],
    queryFn: ({ signal }) => getText(url, "*/*", signal),
    enabled: !isLarge,
    retry: false,
  });
  if (isLarge) return <p className={styles.note}>{t("preview.too_large", { size: formatBytes(size) })}</p>;
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  if (isPending) return <Busy />;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable by keyboard */}
      <pre className={`${styles.text} ${isBounded ? styles.bounded : ""}`} tabIndex={0}>
        {data.slice(0, textBytes)}
      </pre>
      {data.length > textBytes && <p className={styles.note}>{t("preview.first", { size: formatBytes(textBytes) })}</p>}
    </>
  );
}
