/** A number as the file writes it. JavaScript rounds large ones, and drops zeros at the end. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A browser that does not tell how a value is written gives no source. */
function asWritten(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && source !== String(value)
    ? new WrittenNumber(source)
    : value;
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, ""), asWritten) };
  } catch {
    return undefined;
  }
}
