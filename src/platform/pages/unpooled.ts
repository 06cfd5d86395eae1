/** Returns a copy in its own memory, for buffers that are kept: a small pooled buffer would keep Node's whole block of 64 KB alive. */
export function unpooled(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
