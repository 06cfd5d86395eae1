/**
 * Child process (client-process.ts) that generates open-loop load: it sends each request at its due time, whether or not earlier requests
 * have been answered. Response times are measured from the due time. It receives a plan as a message and sends back the results of all
 * requests.
 */
import { Agent, request } from 'node:http';
import { seeded } from '../../test/support/random.ts';

export interface LoadTarget {
  /** Name of the group that the request is counted in. */
  group: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Statuses of a good response. */
  good: number[];
}

export interface LoadPlan {
  origin: string;
  /** Targets, drawn at random with equal probability; a more frequent request occurs in the list more often. */
  targets: LoadTarget[];
  seconds: number;
  seed: number;
  /** Requests per second, open loop; null for a closed loop of `lanes`, each of which waits for its response. */
  rate: number | null;
  lanes: number;
}

/** Result of one group. `times` are in ms, from a request's due time to the end of its good response. */
export interface GroupResult {
  sent: number;
  refused: number;
  /** Refusals without a Retry-After header. */
  rude: number;
  failed: number;
  times: number[];
}

/** Connections opened before the load starts, as a proxy in front of the site keeps them; more are opened as needed. */
const keptConnections = 256;
/** Response timeout, in ms; a later response counts as a failure. */
const timeoutMs = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 1_000 });

process.on('message', async (plan: LoadPlan) => {
  process.send?.(await run(plan));
});

async function run({ origin, targets, seconds, seed, rate, lanes }: LoadPlan): Promise<Record<string, GroupResult>> {
  const random = seeded(seed);
  const results: Record<string, GroupResult> = {};
  const { hostname, port } = new URL(origin);

  const one = (due: number): Promise<void> => {
    const target = targets[Math.floor(random() * targets.length)] as LoadTarget;
    const { method, path, headers, body, good } = target;
    results[target.group] ??= { sent: 0, refused: 0, rude: 0, failed: 0, times: [] };
    const group = results[target.group] as GroupResult;
    group.sent += 1;
    return new Promise((resolve) => {
      let ended = false;
      const end = (note: () => void) => {
        if (!ended) note();
        ended = true;
        resolve();
      };
      const fail = () =>
        end(() => {
          group.failed += 1;
        });
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const outgoing = request(
        { hostname, port, method, path, agent, headers: { ...headers, ...length }, timeout: timeoutMs },
        (response) => {
          response.on('error', fail);
          response.resume().on('end', () =>
            end(() => {
              const { statusCode = 0 } = response;
              if (good.includes(statusCode)) group.times.push(performance.now() - due);
              else if (statusCode === 503 && response.headers['retry-after']) group.refused += 1;
              else if (statusCode === 503) group.rude += 1;
              else group.failed += 1;
            }),
          );
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  };

  if (rate !== null) await openConnections(origin);
  const start = performance.now();
  const until = start + seconds * 1000;
  if (rate === null) {
    const lane = async () => {
      while (performance.now() < until) await one(performance.now());
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return results;
  }
  const sent: Promise<void>[] = [];
  // Poisson arrivals: the requests of different people are independent.
  const gap = () => (-Math.log(1 - random()) / rate) * 1000;
  await new Promise<void>((resolve) => {
    let due = start + gap();
    const turn = () => {
      const now = performance.now();
      for (; due <= now && due < until; due += gap()) sent.push(one(due));
      if (due >= until) return resolve();
      setTimeout(turn, 1);
    };
    turn();
  });
  await Promise.all(sent);
  return results;
}

/** Opens the connections one after another, outside the measured time. */
async function openConnections(origin: string): Promise<void> {
  const held: (() => void)[] = [];
  for (let opened = 0; opened < keptConnections; opened += 1) {
    await new Promise<void>((resolve, reject) => {
      request(`${origin}/healthz`, { agent }, (response) => {
        // Responses are read only when all connections are open, so that none is reused.
        held.push(() => response.resume());
        resolve();
      })
        .on('error', reject)
        .end();
    });
  }
  await new Promise<void>((resolve) => {
    const look = () => {
      if (Object.values(agent.freeSockets).flat().length < keptConnections) return;
      agent.off('free', look);
      resolve();
    };
    agent.on('free', look);
    for (const read of held) read();
  });
}
