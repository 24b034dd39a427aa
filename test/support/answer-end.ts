const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

/** End of the first HTTP/1.1 answer in the buffer; undefined if it is incomplete. */
export function endOfAnswer(buffer: Buffer): number | undefined {
  const head = buffer.indexOf(headEnd);
  if (head < 0) return undefined;
  const text = buffer.toString("latin1", 0, head);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length !== undefined) {
    const end = head + headEnd.length + Number(length);
    return buffer.length >= end ? end : undefined;
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(text)) return head + headEnd.length;
  const end = buffer.indexOf(lastChunk, head + 2);
  return end < 0 ? undefined : end + lastChunk.length;
}
