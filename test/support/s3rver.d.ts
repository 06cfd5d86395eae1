/** Types of the parts that the tests use; the package has none. */
declare module '@20minutes/s3rver' {
  import type { IncomingMessage, Server } from 'node:http';
  import type { AddressInfo } from 'node:net';
  import type { Readable } from 'node:stream';

  interface Context {
    req: Readable;
    request: { req: IncomingMessage };
    method: string;
    headers: Record<string, string>;
    query: Record<string, string>;
    status: number;
    type: string;
    body: unknown;
  }

  export default class S3rver {
    constructor(options: object);
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
    readonly store: { putContent(path: string, content: Readable | Buffer): Promise<[size: number, md5: string]> };
    readonly httpServer: Server;
    run(): Promise<AddressInfo>;
  }
}

declare module '@20minutes/s3rver/lib/models/account.js' {
  export const DUMMY_ACCOUNT: { createKeyPair(id: string, secret: string): void };
}
