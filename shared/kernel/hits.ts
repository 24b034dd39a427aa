/** The hits of a list: ready, or made while they are sent. Each iteration starts at the first hit. */
export type Hits<T> = readonly T[] | AsyncIterable<T>;

/** A text in pieces; each piece is made quickly. */
export type Pieces = Iterable<string> | AsyncIterable<string>;
