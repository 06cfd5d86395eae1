import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A way to the database over the network, which a test may break. */
export interface NetworkPath {
  /** The database's address by this way. */
  url: string;
  /** From now on nothing arrives any more on either side, and nobody is told: connections are taken and never answered. */
  cut(): void;
  /** The same once this, a piece of a statement, has got through: what the database answers to it is lost. */
  cutAfter(text: string): void;
  /** Resolves once somebody has said something into the cut path. */
  untilLost(): Promise<void>;
  /** New connections get through again; those of before stay lost, as with a router that has forgotten them. */
  restore(): void;
  /** Closes all connections, seen by both sides. @param how with a farewell, or as a router or a kernel does it */
  close(how: 'end' | 'reset'): void;
}

/** A forwarder on this machine in front of `databaseUrl`, open until the test ends. */
export async function createNetworkPath(t: Test, databaseUrl: string): Promise<NetworkPath> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** Both ends of each connection that is not lost. */
  const alive = new Map<Socket, Socket>();
  let isCut = false;
  let lastWords: string | null = null;
  const lost = new EventEmitter();
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
        if (alive.has(near)) to.write(data);
        else lost.emit('data');
        if (lastWords !== null && data.includes(lastWords)) cut();
      });
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
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    cut,
    cutAfter(text) {
      lastWords = text;
    },
    async untilLost() {
      await once(lost, 'data');
    },
    restore() {
      isCut = false;
    },
    close(how) {
      for (const ends of alive) for (const end of ends) how === 'reset' ? end.resetAndDestroy() : end.destroy();
    },
  };
}
