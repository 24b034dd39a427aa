import { ChevronLeft, ChevronRight } from "lucide-react";
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { GeoMap } from "../../../shared/previews/geojson.ts";
import { type MapFrame, mapFrame } from "../../../shared/previews/map-frame.ts";
import { formatCount } from "../../format/amounts.ts";
import { IconButton } from "../button.tsx";
import { Busy } from "../notice.tsx";
import { drawMap, featureAt } from "./draw-map.ts";
import styles from "./map-view.module.css";
import { useTask } from "./run-task.ts";

const heightPx = 380;

export interface MapViewProps {
  name: string;
  text: string;
  /** Shown if the text is no GeoJSON. */
  source: ReactNode;
}

/** A GeoJSON file as a map without tiles: nothing is loaded for it. */
export function MapView({ name, text, source }: MapViewProps) {
  const read = useTask("map", text);
  if (read === undefined) return <Busy />;
  if (read === "failed") return source;
  return <DrawnMap name={name} map={read} />;
}

function useWidth(): [ref: (element: HTMLElement | null) => void, width: number] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}

function DrawnMap({ name, map }: { name: string; map: GeoMap }) {
  const { t } = useTranslation();
  const [box, width] = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [chosen, setChosen] = useState(-1);
  const frame: MapFrame | undefined = width > 0 ? mapFrame(map.bounds, width, heightPx) : undefined;
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => setTheme((count) => count + 1);
    dark.addEventListener("change", redraw);
    return () => dark.removeEventListener("change", redraw);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `theme` counts the changes of the colours
  useEffect(() => {
    if (canvas.current && frame) drawMap(canvas.current, map, frame, chosen);
  }, [map, width, chosen, theme]);
  const choose = (event: PointerEvent<HTMLCanvasElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    if (frame) setChosen(featureAt(map, frame, event.clientX - left, event.clientY - top));
  };
  const last = map.features.length - 1;
  const facts = map.features[chosen]?.properties;
  return (
    <div className={styles.map}>
      <div ref={box} className={styles.box}>
        <canvas ref={canvas} className={styles.canvas} role="img" aria-label={name} onPointerDown={choose} />
      </div>
      <div className={styles.bar}>
        <IconButton
          small
          icon={ChevronLeft}
          label={t("preview.previous_feature")}
          isDisabled={chosen <= 0}
          onPress={() => setChosen(chosen - 1)}
        />
        <IconButton
          small
          icon={ChevronRight}
          label={t("preview.next_feature")}
          isDisabled={chosen >= last}
          onPress={() => setChosen(chosen + 1)}
        />
        <span role="status">
          {chosen < 0
            ? t("preview.features", { count: map.count, features: formatCount(map.count) })
            : t("preview.feature_of", { number: formatCount(chosen + 1), features: formatCount(map.features.length) })}
        </span>
        {map.invalid > 0 && (
          <span className={styles.invalid}>{t("preview.invalid_features", { count: map.invalid })}</span>
        )}
        {!map.isWhole && <span>{t("preview.features_left_out", { shown: formatCount(map.features.length) })}</span>}
      </div>
      {facts && facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map(([fact, value]) => (
            <div key={fact}>
              <dt>{fact}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
