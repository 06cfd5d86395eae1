import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { type Random, seeded } from './random.ts';

/** What becomes of the pieces that are sent from now on, either way. */
interface NetworkConditions {
  /** Each arrives so much later, in ms: at least, at most. */
  delayMs?: readonly [number, number];
  bytesPerSecond?: number;
  /** Of all pieces, those after which their connection says nothing any more, and neither side is told. */
  silent?: number;
  /** Of all pieces, those after which their connection is reset. */
  reset?: number;
}

/** A way over the network to a database or a provider, which a test may break. */
export interface NetworkPath {
  /** The address by this way. */
  url: string;
  /** `{}`: nothing is disturbed any more. */
  setConditions(conditions: NetworkConditions): void;
  /** New connections lead to another address; those of before stay. */
  leadTo(url: string): void;
  /** From now on nothing arrives any more on either side, and nobody is told: connections are taken and never answered. */
  cut(): void;
  /** The same once this, a piece of a statement, has got through: what the database answers to it is lost. */
  cutAfter(text: string): void;
  /** Calls back with each piece that gets through to the address. */
  listen(listener: (data: Buffer) => void): void;
  /** Resolves once somebody has said something into the cut path. */
  untilLost(): Promise<void>;
  /** New connections get through again; those of before stay lost, as with a router that has forgotten them. */
  restore(): void;
  /** Closes all connections, seen by both sides. @param how with a farewell, or as a router or a kernel does it */
  close(how: 'end' | 'reset'): void;
}

/** A forwarder on this machine in front of an address, open until the test ends. @param random decides which pieces are lost */
export async function createNetworkPath(t: Pick<Test, 'teardown'>, target: string, random: Random = seeded(1)): Promise<NetworkPath> {
  let { hostname, port } = new URL(target);
  let conditions: NetworkConditions = {};
  const sockets = new Set<Socket>();
  /** Both ends of each connection that is not lost. */
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
        // What comes next waits for it.
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
      // Those that were lost too.
      for (const socket of sockets) how === 'reset' ? socket.resetAndDestroy() : socket.destroy();
    },
  };
}

const isUndisturbed = (conditions: NetworkConditions): boolean => Object.keys(conditions).length === 0;
