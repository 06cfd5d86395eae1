/**
 * Replaces `async-hook-domain` in a process that runs a group of files. The package finds the test of an uncaught error by tracking every
 * promise and callback, which takes a twelfth of the tests' time. Here only one test runs at a time: file-group.ts asks tap for it.
 */
export class Domain {
  readonly onerror: (error: unknown, origin: string) => void;

  constructor(onerror: (error: unknown, origin: string) => void) {
    this.onerror = onerror;
  }

  destroy(): void {}
}
