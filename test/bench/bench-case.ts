/** A measurement and its reference, taken in the same run on the same machine. */
export interface BenchCase {
  name: string;
  /** The required `ours / reference`: `>= 0.5` if more is better, `<= 2` if less is. */
  reach: string;
  run(): Promise<Measured>;
}

export interface Measured {
  ours: number;
  reference: number;
  /** The unit of both: `calls/s`, `ms`, `MB/s`. */
  unit: string;
  /** Description of the reference: `bare node:http`, `unzip -l`. */
  against: string;
}

export interface Verdict extends Measured {
  name: string;
  reach: string;
  ratio: number;
  isReached: boolean;
}

/** Compares a measurement with its reach. @throws Error when the reach is not like `>= 0.5` or `<= 2`. */
export function judge({ name, reach }: Pick<BenchCase, "name" | "reach">, measured: Measured): Verdict {
  const [, sign, text] = /^(>=|<=) (\d+(?:\.\d+)?)$/.exec(reach) ?? [];
  if (sign === undefined || text === undefined)
    throw new Error(`${name}: reach must be '>= n' or '<= n', not '${reach}'.`);
  const ratio = measured.ours / measured.reference;
  const isReached = sign === ">=" ? ratio >= Number(text) : ratio <= Number(text);
  return { ...measured, name, reach, ratio, isReached };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Measures both alternately and takes medians, so that other load on the machine affects both. */
export async function byTurns(
  ours: () => Promise<number>,
  reference: () => Promise<number>,
  rounds = 3,
): Promise<{ ours: number; reference: number }> {
  const taken = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    taken.reference.push(await reference());
    taken.ours.push(await ours());
  }
  return { ours: median(taken.ours), reference: median(taken.reference) };
}
