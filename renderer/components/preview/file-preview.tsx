import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { beginningQuery, withinReachQuery } from "../../api-client/beginning.ts";
import { formatBytes } from "../../format/amounts.ts";
import { Button } from "../button.tsx";
import { RadioChoice } from "../choice.tsx";
import { Busy, InlineNotice } from "../notice.tsx";
import { CsvTable } from "./csv-table.tsx";
import styles from "./file-preview.module.css";
import { JsonTree } from "./json-tree.tsx";
import { MarkdownView } from "./markdown-view.tsx";
import { TextLines } from "./text-lines.tsx";

type Kind = "image" | "text" | "table" | "json" | "markdown" | "pdf" | "audio" | "video" | "none";

const textBytes = 1024 * 1024;
/** Limit for a table; each request for more reads four times as much. */
const mostTableBytes = 16 * textBytes;
const kinds: [Kind, RegExp][] = [
  ["image", /\.(png|jpe?g|gif|webp|bmp)$/i],
  ["audio", /\.(mp3|ogg|wav)$/i],
  ["video", /\.(mp4|webm)$/i],
  ["pdf", /\.pdf$/i],
  ["table", /\.(csv|tsv)$/i],
  ["json", /\.(json|geojson)$/i],
  ["markdown", /\.(md|markdown)$/i],
  [
    "text",
    /\.(txt|jsonl|ya?ml|xml|svg|html?|css|js|ts|py|r|rmd|sh|sql|tex|bib|ris|log|ini|toml|c|h|cpp|java|go|rs|m|jl|cff)$/i,
  ],
  ["text", /(^|\/)(readme|licen[cs]e|changelog|makefile|dockerfile|authors|citation)$/i],
];

export const previewKind = (name: string): Kind => kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? "none";

export interface FilePreviewProps {
  name: string;
  url: string;
  size: number;
  isBounded?: boolean;
  /** Address of another file of the same record or archive; undefined if there is none. */
  urlOf?: ((path: string) => string | undefined) | undefined;
}

/** Shows the content of a file that is safe to show: images, tables, texts, audio, video. */
export function FilePreview({ name, url, size, isBounded = true }: FilePreviewProps) {
  const { t } = useTranslation();
  const [isBroken, setBroken] = useState(false);
  const kind = previewKind(name);
  if (kind === "none") return <p className={styles.note}>{t("preview.none")}</p>;
  if (isBroken) return <BrokenPreview url={url} />;
  if (kind === "image") return <ImagePreview name={name} url={url} onBroken={() => setBroken(true)} />;
  if (kind === "pdf") return <PdfLink url={url} />;
  // biome-ignore lint/a11y/useMediaCaption: deposited media bring no captions
  if (kind === "audio") return <audio className={styles.media} src={url} controls onError={() => setBroken(true)} />;
  // biome-ignore lint/a11y/useMediaCaption: deposited media bring no captions
  if (kind === "video") return <video className={styles.media} src={url} controls onError={() => setBroken(true)} />;
  return <WordsPreview kind={kind} name={name} url={url} size={size} isBounded={isBounded} />;
}

function ImagePreview({ name, url, onBroken }: { name: string; url: string; onBroken: () => void }) {
  const { t } = useTranslation();
  const [isFull, setFull] = useState(false);
  return (
    <div className={`${styles.frame} ${isFull ? styles.full : ""}`} {...(isFull ? { tabIndex: 0 } : {})}>
      <img className={styles.image} src={url} alt={name} onError={onBroken} />
      <span className={styles.zoom}>
        <Button small aria-pressed={isFull} onPress={() => setFull(!isFull)}>
          {t(isFull ? "preview.fit" : "preview.actual_size")}
        </Button>
      </span>
    </div>
  );
}

/** The bytes are not available or do not match the file's type. */
function BrokenPreview({ url }: { url: string }) {
  const { t } = useTranslation();
  const { error, isPending } = useQuery(withinReachQuery(url));
  if (isPending) return <Busy />;
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  return <p className={styles.note}>{t("preview.none")}</p>;
}

/** Our pages have no frames. The browser's own viewer opens next to them and runs no script of the file. */
function PdfLink({ url }: { url: string }) {
  const { t } = useTranslation();
  const { error } = useQuery(withinReachQuery(url));
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  return (
    <p className={styles.open}>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {t("preview.open_pdf")} <ExternalLink size={13} aria-hidden="true" />
      </a>
    </p>
  );
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, "")) };
  } catch {
    return undefined;
  }
}

function WordsPreview({ kind, name, url, size, isBounded = true }: FilePreviewProps & { kind: Kind }) {
  const { t } = useTranslation();
  const [wantsSource, setSource] = useState(false);
  const [bytes, setBytes] = useState(textBytes);
  const { data, error, isPending, isFetching } = useQuery({
    ...beginningQuery(url, size, bytes),
    placeholderData: (before) => before,
  });
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  if (isPending) return <Busy />;
  if (data.isBinary) return <p className={styles.note}>{t("preview.none")}</p>;
  if (data.text === "") return <p className={styles.note}>{t("preview.empty")}</p>;
  const json = kind === "json" && data.isWhole ? parseJson(data.text) : undefined;
  const hasForm = kind === "table" || kind === "markdown" || json !== undefined;
  return (
    <div className={styles.words}>
      {hasForm && (
        <RadioChoice
          label={t("preview.look")}
          hideLabel
          look="segments"
          value={wantsSource ? "source" : "form"}
          onChange={(value) => setSource(value === "source")}
          options={[
            { id: "form", label: t(`preview.form.${kind as "table" | "markdown" | "json"}`) },
            { id: "source", label: t("preview.source") },
          ]}
        />
      )}
      {hasForm && !wantsSource ? (
        <>
          {kind === "table" && (
            <CsvTable name={name} text={data.text} isWhole={data.isWhole}>
              {!data.isWhole && (
                <>
                  · {t("preview.first", { size: formatBytes(bytes), whole: formatBytes(size) })}{" "}
                  {bytes < mostTableBytes ? (
                    <Button small variant="link" isPending={isFetching} onPress={() => setBytes(bytes * 4)}>
                      {t("preview.more_rows")}
                    </Button>
                  ) : (
                    t("preview.too_many_rows")
                  )}
                </>
              )}
            </CsvTable>
          )}
          {json && <JsonTree name={name} value={json.value} isBounded={isBounded} />}
          {kind === "markdown" && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable by keyboard
            <div className={`${styles.page} ${isBounded ? styles.bounded : ""}`} tabIndex={0}>
              <MarkdownView
                text={data.text}
                source={<TextLines name={name} text={data.text} isBounded={isBounded} />}
              />
            </div>
          )}
        </>
      ) : (
        <TextLines name={name} text={data.text} isBounded={isBounded} />
      )}
      {!data.isWhole && (kind !== "table" || wantsSource) && (
        <p className={styles.note}>{t("preview.first", { size: formatBytes(bytes), whole: formatBytes(size) })}</p>
      )}
    </div>
  );
}
