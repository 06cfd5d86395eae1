import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

/** Range below the ports that the system assigns itself (Linux: from 32,768), so that no other program gets this port before it is used. */
const first = 20_000;
const end = 32_768;
const maxTries = 100;

/** Returns a port that is free at this moment. @throws the error of listening on `host` */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOnce(host, randomInt(first, end));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === maxTries) throw error;
    }
  }
}

/** Listens on a port for an instant and returns its number. @throws the error of listening */
export async function listenOnce(host: string, port: number): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ host, port, exclusive: true }, resolve));
  const { port: taken } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return taken;
}
