/** Bytes that are kept, in memory of their own: a small buffer of Node's is a part of 64 KB, all of which it would keep. */
export function unpooled(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
