/**
 * Child process (client-process.ts) that simulates readers together with provider notifications or downloads. It receives a turn as a
 * message and sends its result back.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BurstTurn {
  origin: string;
  /** One reader for each entry; the reader requests this page again and again. */
  pages: { path: string; cookie: string }[];
  notifications: { path: string; body: string }[];
  /** One learner for each entry; the learner requests the paths one after another, from the first. */
  downloads: { paths: string[]; cookie: string }[];
  /**
   * The notifications are spread over this time, in ms, however long their responses take. Readers continue until it is over and the last
   * response has come.
   */
  durationMs: number;
}

export interface BurstResult {
  /** Response time of each page, in ms. */
  pageTimes: number[];
  /** HTTP status of the response to each notification. */
  statuses: number[];
  /** Total time of each learner's downloads, in ms. */
  downloadTimes: number[];
}

/** Pause between two pages of a reader, in ms. It is short: fast readers. */
const pauseMs = 200;

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

process.on('message', async (turn: BurstTurn) => {
  process.send?.(await run(turn));
});

async function run({ origin, pages, notifications, downloads, durationMs }: BurstTurn): Promise<BurstResult> {
  const start = performance.now();
  let isOver = false;
  const [pageTimes, [statuses, downloadTimes]] = await Promise.all([
    Promise.all(pages.map(({ path, cookie }) => read(`${origin}${path}`, cookie, () => isOver))),
    (async () => {
      const answers = await Promise.all([
        Promise.all(
          notifications.map(async ({ path, body }, index) => {
            await sleepUntil(start + (index * durationMs) / notifications.length);
            return notify(`${origin}${path}`, body);
          }),
        ),
        Promise.all(
          downloads.map(async ({ paths, cookie }) => {
            for (const path of paths) await fetched(`${origin}${path}`, cookie, 'application/json');
            return performance.now() - start;
          }),
        ),
      ]);
      await sleepUntil(start + durationMs);
      isOver = true;
      return answers;
    })(),
  ]);
  return { pageTimes: pageTimes.flat(), statuses, downloadTimes };
}

const sleepUntil = (due: number): Promise<void> => sleep(Math.max(0, due - performance.now()));

function notify(url: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
    const outgoing = request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject).end(body);
  });
}

function fetched(url: string, cookie: string, accept: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept, 'accept-encoding': 'gzip' };
    request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}

/** Requests the page until `isOver`; returns the response times, in ms. */
async function read(url: string, cookie: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  await sleep(Math.random() * pauseMs);
  while (!isOver()) {
    const start = performance.now();
    await fetched(url, cookie, 'text/html');
    times.push(performance.now() - start);
    await sleep(pauseMs);
  }
  return times;
}
