/** Keeps this thread from everything else for so many milliseconds, as a long calculation would, but leaves the processor to others. */
export function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
