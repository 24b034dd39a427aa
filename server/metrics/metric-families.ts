export type Labels = Readonly<Record<string, string>>;

/** A value of a gauge. */
export interface Sample {
  labels?: Labels;
  value: number;
}

/** One metric with all its labels, as lines of the Prometheus text format 0.0.4. */
export interface Family {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  lines(): string[] | Promise<string[]>;
}

const quoted = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

const line = (name: string, labels: Labels, value: number): string => {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}=${quoted(text)}`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
};

/** A number that only grows, for each combination of labels. */
export class Counter implements Family {
  readonly type = "counter";
  readonly name: string;
  readonly help: string;
  readonly #values = new Map<string, { labels: Labels; value: number }>();

  constructor(name: string, help: string) {
    [this.name, this.help] = [name, help];
  }

  add(labels: Labels): void {
    const key = Object.values(labels).join("\u0001");
    const known = this.#values.get(key);
    if (known) known.value += 1;
    else this.#values.set(key, { labels, value: 1 });
  }

  lines(): string[] {
    return [...this.#values.values()].map(({ labels, value }) => line(this.name, labels, value));
  }
}

interface Distribution {
  labels: Labels;
  /** How many values are in each bucket and not in an earlier one; the last one has no bound. */
  counts: number[];
  sum: number;
}

/** How values are distributed, for each combination of labels. */
export class Histogram implements Family {
  readonly type = "histogram";
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #values = new Map<string, Distribution>();

  constructor(name: string, help: string, bounds: readonly number[]) {
    [this.name, this.help, this.#bounds] = [name, help, bounds];
  }

  observe(labels: Labels, value: number): void {
    const key = Object.values(labels).join("\u0001");
    const fresh = () => ({ labels, counts: new Array<number>(this.#bounds.length + 1).fill(0), sum: 0 });
    const known = this.#values.get(key) ?? fresh();
    const at = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = at < 0 ? this.#bounds.length : at;
    known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
    known.sum += value;
    this.#values.set(key, known);
  }

  lines(): string[] {
    return [...this.#values.values()].flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = counts.map((count, at) => {
        total += count;
        return line(`${this.name}_bucket`, { ...labels, le: String(this.#bounds[at] ?? "+Inf") }, total);
      });
      return [...buckets, line(`${this.name}_sum`, labels, sum), line(`${this.name}_count`, labels, total)];
    });
  }
}

type Read = () => readonly Sample[] | Promise<readonly Sample[]>;

/** What is read when somebody asks. @param type `counter` for a value that only grows. */
export const gauge = (name: string, help: string, read: Read, type: "gauge" | "counter" = "gauge"): Family => ({
  ...{ name, help, type },
  lines: async () => (await read()).map(({ labels = {}, value }) => line(name, labels, value)),
});

/** The text of all families. One that cannot be read, such as a count while the database is away, is left out. */
export async function metricsText(families: readonly Family[]): Promise<string> {
  const parts = families.map(async (family) => {
    try {
      const lines = await family.lines();
      return [`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`, ...lines, ""].join("\n");
    } catch {
      return "";
    }
  });
  return (await Promise.all(parts)).join("");
}
