/** How often writes of this process met others, since its start. */
export const contention = {
  /** Repeated after a conflict. */
  repeats: 0,
  /** Given up after the last repeat. */
  refused: 0,
  /** Could not lock SQLite in time. */
  busy: 0,
};
