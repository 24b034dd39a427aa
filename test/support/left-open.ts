/** What a test file started and has not closed yet. */
interface Open {
  /** Named in the failure when it is left. */
  name: string;
  end(): Promise<unknown>;
}

/** Processes that a test itself has to end. */
export const processes = new Set<Open>();
/** Hosts that were started outside of a test, and are used until the end of the file. */
export const hosts = new Set<Open>();

/** Closes the hosts of a file. @throws if other processes still run, after it has ended those too. */
export async function closeLeft(): Promise<void> {
  for (const host of [...hosts]) await host.end();
  const left = [...processes];
  await Promise.all(left.map((process) => process.end()));
  if (left.length > 0) throw new Error(`The file left processes running: ${left.map(({ name }) => name).join(", ")}`);
}
