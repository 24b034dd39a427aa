/** The advisory lock of PostgreSQL that gives the positions of the feed one at a time. Released databases know the number. */
export const feedLock = 727001;
