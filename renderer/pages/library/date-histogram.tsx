import { useEffect, useState } from "react";
import { Input, NumberField, Slider, SliderThumb, SliderTrack } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Bucket } from "../../api-client/record-types.ts";
import styles from "./date-histogram.module.css";
import { chosenRange, rangeValues, type YearBar, type YearRange, yearBars } from "./year-range.ts";

const [width, height, widest] = [180, 44, 18];

export interface DateHistogramProps {
  label: string;
  buckets: Bucket[];
  chosen: string[];
  onChange: (values: string[]) => void;
}

/** Records by year with two handles; arrow keys move a handle by a year. */
export function DateHistogram({ label, buckets, chosen, onChange }: DateHistogramProps) {
  const { t } = useTranslation();
  const bars = yearBars(buckets);
  const all = { from: Number(buckets[0]?.key), to: Number(buckets.at(-1)?.key) };
  const given = chosenRange(chosen, all);
  const [range, setRange] = useState(given);
  useEffect(() => setRange({ from: given.from, to: given.to }), [given.from, given.to]);
  return (
    <fieldset className={styles.facet}>
      <legend>{label}</legend>
      <div className={styles.chart}>
        <Bars
          bars={bars}
          range={range}
          onPick={({ first, last }) => onChange(rangeValues(clip(first, last, all), all))}
        />
        {all.to > all.from && (
          <Slider
            className={styles.slider ?? ""}
            aria-label={label}
            minValue={all.from}
            maxValue={all.to}
            value={[range.from, range.to]}
            formatOptions={{ useGrouping: false }}
            onChange={([from = all.from, to = all.to]) => setRange({ from, to })}
            onChangeEnd={([from = all.from, to = all.to]) => onChange(rangeValues({ from, to }, all))}
          >
            <SliderTrack className={styles.track ?? ""}>
              {({ state }) => (
                <>
                  <span
                    className={styles.span}
                    style={{
                      insetInlineStart: `${state.getThumbPercent(0) * 100}%`,
                      inlineSize: `${(state.getThumbPercent(1) - state.getThumbPercent(0)) * 100}%`,
                    }}
                  />
                  <SliderThumb index={0} aria-label={t("library.from_year")} className={styles.thumb ?? ""} />
                  <SliderThumb index={1} aria-label={t("library.to_year")} className={styles.thumb ?? ""} />
                </>
              )}
            </SliderTrack>
          </Slider>
        )}
        {all.to > all.from ? (
          <div className={styles.years}>
            <Year
              label={t("library.first_year")}
              value={range.from}
              minValue={all.from}
              maxValue={range.to}
              onChange={(from) => onChange(rangeValues({ from, to: range.to }, all))}
            />
            <span aria-hidden="true">–</span>
            <Year
              label={t("library.last_year")}
              value={range.to}
              minValue={range.from}
              maxValue={all.to}
              onChange={(to) => onChange(rangeValues({ from: range.from, to }, all))}
            />
          </div>
        ) : (
          <div className={styles.years}>{range.from}</div>
        )}
      </div>
    </fieldset>
  );
}

interface YearProps {
  label: string;
  value: number;
  minValue: number;
  maxValue: number;
  onChange: (year: number) => void;
}

/** A year to type; applied on Enter or blur. */
function Year({ label, onChange, ...props }: YearProps) {
  // An empty box restores the year.
  const take = (year: number): void => {
    if (!Number.isNaN(year)) onChange(year);
  };
  return (
    <NumberField {...props} onChange={take} isWheelDisabled aria-label={label} formatOptions={{ useGrouping: false }}>
      <Input className={styles.year ?? ""} />
    </NumberField>
  );
}

const clip = (first: number, last: number, all: YearRange): YearRange => ({
  from: Math.max(first, all.from),
  to: Math.min(last, all.to),
});

/** The bars; hidden from screen readers, because the handles say the same. */
function Bars({ bars, range, onPick }: { bars: YearBar[]; range: YearRange; onPick: (bar: YearBar) => void }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const step = width / Math.max(1, bars.length);
  const gap = step > 6 ? Math.max(2, step - widest) : 0.5;
  return (
    <svg className={styles.bars} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar, index) => {
        const tall = bar.count === 0 ? 1 : Math.max(3, (bar.count / most) * (height - 2));
        const isIn = bar.last >= range.from && bar.first <= range.to;
        const years = bar.first === bar.last ? bar.first : `${bar.first}–${bar.last}`;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for the mouse; the handles do the same
          <g key={bar.first} onClick={() => onPick(bar)} className={`${styles.bar} ${isIn ? styles.in : ""}`}>
            <title>{`${years}: ${bar.count}`}</title>
            <rect className={styles.reach} x={index * step} y={0} width={step} height={height} />
            <rect x={index * step + gap / 2} y={height - tall} width={step - gap} height={tall} rx={1} />
          </g>
        );
      })}
    </svg>
  );
}
