/**
 * The load (client-process.ts): sends requests when the clock says so, whether or not the ones before have been answered, as a crowd does. A request's time runs from
 * when it was due. Takes a plan by message, and answers with what became of each request.
 */
import { Agent, request } from 'node:http';
import { seeded } from '../../test/support/random.ts';

export interface LoadTarget {
  /** What it is counted with. */
  group: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Of a good answer. */
  good: number[];
}

export interface LoadPlan {
  origin: string;
  /** Drawn from evenly: what comes oftener stands in it oftener. */
  targets: LoadTarget[];
  seconds: number;
  seed: number;
  /** Requests a second, open loop; null: `lanes` that each wait for their answer. */
  rate: number | null;
  lanes: number;
}

/** Of one group: times in ms from when a request was due until its good answer had come. */
export interface GroupResult {
  sent: number;
  refused: number;
  /** Refusals that did not say when to come back. */
  rude: number;
  failed: number;
  times: number[];
}

/** Connections that are open before the crowd comes, as the proxy in front of a site keeps them; more are opened as they are needed. */
const keptConnections = 256;
/** What has no answer by then has failed, in ms. */
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
  // Arrivals of a crowd: each knows nothing of the others.
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

/** One after the other: how they are opened is not what is measured. */
async function openConnections(origin: string): Promise<void> {
  const held: (() => void)[] = [];
  for (let opened = 0; opened < keptConnections; opened += 1) {
    await new Promise<void>((resolve, reject) => {
      request(`${origin}/healthz`, { agent }, (response) => {
        // Read once all are open, so that none serves twice.
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
