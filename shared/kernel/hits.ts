/** The hits of a list: at hand, or made while they are sent; each time they are gone through, from the first on. */
export type Hits<T> = readonly T[] | AsyncIterable<T>;

/** A text in pieces, each quickly made. */
export type Pieces = Iterable<string> | AsyncIterable<string>;
