import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Kind, previewKind } from "../../../shared/previews/kind.ts";
import { beginningQuery, withinReachQuery } from "../../api-client/beginning.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { formatBytes } from "../../format/amounts.ts";
import { Button } from "../button.tsx";
import { RadioChoice } from "../choice.tsx";
import { Busy, InlineNotice } from "../notice.tsx";
import { CsvTable } from "./csv-table.tsx";
import styles from "./file-preview.module.css";
import { JsonTree } from "./json-tree.tsx";
import { MarkdownView, type Neighbour } from "./markdown-view.tsx";
import { relativePath } from "./relative-path.ts";
import { TextLines } from "./text-lines.tsx";
import { parseJson } from "./written-json.ts";

const NotebookView = lazy(async () => ({ default: (await import("./notebook-view.tsx")).NotebookView }));
const MapView = lazy(async () => ({ default: (await import("./map-view.tsx")).MapView }));
const PdfView = lazy(async () => ({ default: (await import("./pdf-view.tsx")).PdfView }));

const textBytes = 1024 * 1024;
/** Notebooks and maps are shown whole or as text. */
const wholeBytes = 16 * textBytes;
const limitOf = (kind: Kind): number => (kind === "notebook" || kind === "map" ? wholeBytes : textBytes);
const forms: Kind[] = ["table", "markdown", "json", "map", "notebook"];

export interface FilePreviewProps {
  name: string;
  url: string;
  size: number;
  isBounded?: boolean;
  /** Address of another file of the same record or archive; undefined if there is none. */
  urlOf?: ((path: string) => string | undefined) | undefined;
}

/** Shows the content of a file that is safe to show: images, tables, texts, audio, video. */
export function FilePreview({ name, url, size, isBounded = true, urlOf }: FilePreviewProps) {
  const { t } = useTranslation();
  const [isBroken, setBroken] = useState(false);
  const kind = previewKind(name);
  if (kind === "none") return <p className={styles.note}>{t("preview.none")}</p>;
  if (isBroken) return <BrokenPreview url={url} />;
  const picture = kind === "image" ? url : kind === "drawn" ? drawnAddress(url) : undefined;
  if (picture) return <ImagePreview name={name} url={picture} onBroken={() => setBroken(true)} />;
  if (kind === "image" || kind === "drawn") return <p className={styles.note}>{t("preview.none")}</p>;
  if (kind === "pdf") return <PdfPreview name={name} url={url} />;
  if (kind === "audio" || kind === "video") {
    const Media = kind;
    return <Media aria-label={name} className={styles.media} src={url} controls onError={() => setBroken(true)} />;
  }
  return <WordsPreview kind={kind} name={name} url={url} size={size} isBounded={isBounded} urlOf={urlOf} />;
}

/** Where the host draws the picture of a file; undefined for a file in an archive. */
function drawnAddress(url: string): string | undefined {
  const [, id, draft, key, query = ""] =
    /^\/api\/records\/([^/]+)(\/draft)?\/files\/(.+)\/content(\?.*)?$/.exec(url) ?? [];
  if (id === undefined || key === undefined) return undefined;
  return `/api/iiif/${draft ? "draft" : "record"}:${id}:${encodeURIComponent(decodeURIComponent(key))}/full/max/0/default.jpg${query}`;
}

function ImagePreview({ name, url, onBroken }: { name: string; url: string; onBroken: () => void }) {
  const { t } = useTranslation();
  const [isFull, setFull] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  return (
    <div className={`${styles.frame} ${isFull ? styles.full : ""}`} {...(isFull ? { tabIndex: 0 } : {})}>
      <img className={styles.image} src={url} alt={name} onLoad={() => setLoaded(true)} onError={onBroken} />
      {isLoaded && (
        <span className={styles.zoom}>
          <Button small aria-pressed={isFull} onPress={() => setFull(!isFull)}>
            {t(isFull ? "preview.fit" : "preview.actual_size")}
          </Button>
        </span>
      )}
    </div>
  );
}

/** The bytes are not available or do not match the file's type. */
function BrokenPreview({ url }: { url: string }) {
  const { t } = useTranslation();
  const { error, isPending } = usePageQuery(withinReachQuery(url));
  if (isPending) return <Busy />;
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  return <p className={styles.note}>{t("preview.none")}</p>;
}

/** The bytes may be on the server alone, which the failure says in its own words. */
function PdfPreview({ name, url }: { name: string; url: string }) {
  const { error, isPending } = usePageQuery(withinReachQuery(url));
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  if (isPending) return <Busy />;
  return (
    <Suspense fallback={<Busy />}>
      <PdfView name={name} url={url} />
    </Suspense>
  );
}

/** How a file is shown: by its kind, as a tree of values, as text. */
type Look = "form" | "tree" | "source";

function WordsPreview({ kind, name, url, size, isBounded = true, urlOf }: FilePreviewProps & { kind: Kind }) {
  const { t } = useTranslation();
  const [look, setLook] = useState<Look>("form");
  const wantsSource = look === "source";
  const limit = limitOf(kind);
  const { data, error } = usePageQuery(beginningQuery(url, size, limit));
  const hasTree = kind === "json" || look === "tree";
  const json = useMemo(() => (hasTree && data?.isWhole ? parseJson(data.text) : undefined), [hasTree, data]);
  if (error) return <InlineNotice tone="warn">{error.message}</InlineNotice>;
  if (!data) return <Busy />;
  if (data.isBinary) return <p className={styles.note}>{t("preview.none")}</p>;
  if (data.text === "") return <p className={styles.note}>{t("preview.empty")}</p>;
  const { text, isWhole } = data;
  const needsWhole = kind === "map" || kind === "notebook";
  const hasForm = kind === "json" ? json !== undefined : forms.includes(kind) && (isWhole || !needsWhole);
  const source = <TextLines name={name} text={text.slice(0, textBytes)} isBounded={isBounded} />;
  const neighbour: Neighbour = (path) => {
    const whole = relativePath(name, path);
    return whole === undefined ? undefined : urlOf?.(whole);
  };
  return (
    <div className={styles.words}>
      {hasForm && (
        <RadioChoice
          label={t("preview.look")}
          hideLabel
          look="segments"
          value={look}
          onChange={(value) => setLook(value as Look)}
          options={[
            { id: "form", label: t(`preview.form.${kind as "table" | "markdown" | "json" | "map" | "notebook"}`) },
            ...(kind === "map" ? [{ id: "tree", label: t("preview.form.json") }] : []),
            { id: "source", label: t("preview.source") },
          ]}
        />
      )}
      {hasForm && !wantsSource ? (
        <Suspense fallback={<Busy />}>
          {kind === "table" && <CsvTable name={name} url={url} size={size} />}
          {json && <JsonTree name={name} value={json.value} isBounded={isBounded} />}
          {kind === "markdown" && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable by keyboard
            <div className={`${styles.page} ${isBounded ? styles.bounded : ""}`} tabIndex={0}>
              <MarkdownView text={text} neighbour={neighbour} source={source} />
            </div>
          )}
          {kind === "map" && look === "form" && (
            <MapView name={name} text={text} source={<NotThisKind>{source}</NotThisKind>} />
          )}
          {kind === "notebook" && (
            <NotebookView
              name={name}
              text={text}
              isBounded={isBounded}
              neighbour={neighbour}
              source={<NotThisKind>{source}</NotThisKind>}
            />
          )}
        </Suspense>
      ) : (
        source
      )}
      {(!isWhole || text.length > textBytes) &&
        (kind !== "table" || wantsSource) &&
        (!hasForm || wantsSource || kind === "markdown") && (
          <p className={styles.note}>
            {t("preview.first", { size: formatBytes(Math.min(limit, textBytes)), whole: formatBytes(size) })}
          </p>
        )}
    </div>
  );
}

/** The text, because its name promises something that it is not. */
function NotThisKind({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.note}>{t("preview.not_this_kind")}</p>
      {children}
    </>
  );
}
