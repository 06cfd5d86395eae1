/** Blocks this thread for `ms` milliseconds like a long calculation, but without using the processor. */
export function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
