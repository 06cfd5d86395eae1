/**
 * What tap has of `async-hook-domain` in a process that runs a group of files. The package finds out which test an error belongs to that nobody catches by
 * following every promise and callback through its life, which costs a twelfth of the tests' time. Here one test runs at a time: file-group.ts asks tap which.
 */
export class Domain {
  readonly onerror: (error: unknown, origin: string) => void;

  constructor(onerror: (error: unknown, origin: string) => void) {
    this.onerror = onerror;
  }

  destroy(): void {}
}
