import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

/** Below those that a system gives out itself (Linux from 32,768 on): between the look and its use, nobody who asks for any port is given this one. */
const first = 20_000;
const end = 32_768;
const maxTries = 100;

/** A port that nobody listens on at this moment. @throws what listening on `host` fails with */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOnce(host, randomInt(first, end));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === maxTries) throw error;
    }
  }
}

/** Listens there for an instant. @throws what that fails with */
export async function listenOnce(host: string, port: number): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ host, port, exclusive: true }, resolve));
  const { port: taken } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return taken;
}
