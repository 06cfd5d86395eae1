import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { type Random, seeded } from './random.ts';

/** Conditions for data chunks in both directions, from now on. */
interface NetworkConditions {
  /** Delay of each chunk in ms: minimum and maximum. */
  delayMs?: readonly [number, number];
  bytesPerSecond?: number;
  /** Probability that a connection becomes silent after a chunk, without notice to either side. */
  silent?: number;
  /** Probability that a connection is reset after a chunk. */
  reset?: number;
}

/** A network path to a database or a provider that tests can break. */
export interface NetworkPath {
  /** The target's URL through this path. */
  url: string;
  /** Sets the conditions; `{}` removes all of them. */
  setConditions(conditions: NetworkConditions): void;
  /** Directs new connections to another address; existing ones stay. */
  leadTo(url: string): void;
  /** Drops all data in both directions without notice: connections are accepted and never answered. */
  cut(): void;
  /** Cuts the path as soon as a chunk with this text has passed, so that the database's response to it is lost. */
  cutAfter(text: string): void;
  /** Calls back with each chunk that reaches the target. */
  listen(listener: (data: Buffer) => void): void;
  /** Resolves when data was sent into the cut path. */
  untilLost(): Promise<void>;
  /** Lets new connections pass again; existing ones stay lost, as after a router restart. */
  restore(): void;
  /** Closes all connections, visibly for both sides. @param how in order, or by a reset */
  close(how: 'end' | 'reset'): void;
}

/** Opens a local forwarder to an address until the test ends. @param random decides which chunks are lost */
export async function createNetworkPath(t: Pick<Test, 'teardown'>, target: string, random: Random = seeded(1)): Promise<NetworkPath> {
  let { hostname, port } = new URL(target);
  let conditions: NetworkConditions = {};
  const sockets = new Set<Socket>();
  /** Maps both ends of each connection that is not lost to the other end. */
  const alive = new Map<Socket, Socket>();
  let isCut = false;
  let lastWords: string | null = null;
  const lost = new EventEmitter();
  const through = new EventEmitter<{ data: [Buffer] }>();
  const cut = () => {
    isCut = true;
    lastWords = null;
    alive.clear();
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return;
    const far = connect({ host: hostname, port: Number(port) });
    keep(far);
    alive.set(near, far);
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (data) => {
        if (!alive.has(near)) lost.emit('data');
        else if (!isUndisturbed(conditions)) void disturb(data);
        else pass(data);
        if (lastWords !== null && data.includes(lastWords)) cut();
      });
      const pass = (data: Buffer) => {
        to.write(data);
        if (to === far) through.emit('data', data);
      };
      const disturb = async (data: Buffer) => {
        const { delayMs: [least, most] = [0, 0], bytesPerSecond = Number.POSITIVE_INFINITY, silent = 0, reset = 0 } = conditions;
        const chance = random();
        if (chance < silent) alive.delete(near);
        else if (chance < silent + reset) for (const end of [near, far]) end.resetAndDestroy();
        // Later chunks wait for this one, to keep the order.
        from.pause();
        await sleep(least + random() * (most - least) + (1000 * data.length) / bytesPerSecond, undefined, { ref: false });
        if (alive.has(near)) pass(data);
        from.resume();
      };
      from.on('close', () => alive.delete(near) && to.destroy());
    };
    forward(near, far);
    forward(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    setConditions(next) {
      conditions = next;
    },
    leadTo(url) {
      ({ hostname, port } = new URL(url));
    },
    cut,
    cutAfter(text) {
      lastWords = text;
    },
    listen(listener) {
      through.on('data', listener);
    },
    async untilLost() {
      await once(lost, 'data');
    },
    restore() {
      isCut = false;
    },
    close(how) {
      // Includes the lost connections.
      for (const socket of sockets) how === 'reset' ? socket.resetAndDestroy() : socket.destroy();
    },
  };
}

const isUndisturbed = (conditions: NetworkConditions): boolean => Object.keys(conditions).length === 0;
