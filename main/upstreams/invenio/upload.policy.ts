const [shortestMs, longestMs] = [120_000, 3_600_000];
/** A proxy may take a file in whole before it passes it on, at least as fast as this. */
const bytesPerMs = 5_000;

/**
 * How long the server may take to answer after the last byte of a file. After a lost answer, the next try waits twice as
 * long: otherwise a slow server would never be heard, and the file sent again and again.
 */
export const answerMsOf = (size: number, lostAnswers: number): number =>
  Math.min(longestMs, Math.max(shortestMs, size / bytesPerMs) * 2 ** lostAnswers);
