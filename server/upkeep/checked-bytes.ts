/** Something that the rows do not name. */
export interface Leftover {
  /** For people, such as `the upload 1234`. */
  what: string;
  /** Whether it is too old for any process to be working on it. */
  isOld: boolean;
  remove(): Promise<void>;
}

/** The bytes of a host as `carrel check` and `carrel backup` see them. */
export interface CheckedBytes {
  /** How many bytes there are of a blob; undefined if there are none. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** The sha256 of the bytes of a blob. */
  digestOf(sha256: string): Promise<string>;
  /** What is there besides the blobs that rows refer to, and the uploads that are under way. */
  listLeftovers(referred: ReadonlySet<string>, uploads: ReadonlySet<string>): AsyncGenerator<Leftover>;
}
