/**
 * `ONLY=fuzz make soak`: sends REQUESTS random HTTP requests of all roles to built servers; each server receives 5,000, on its own copy of
 * the site.
 */
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { type Answer, answerTimeoutMs } from '../../test/support/fuzz/answers.ts';
import { campaign } from '../../test/support/fuzz/campaign.ts';
import { scoped } from '../../test/support/fuzz/scope.ts';
import type { Sent } from '../../test/support/fuzz/sent.ts';
import { described } from '../../test/support/fuzz/shrink.ts';
import { copyFiles, plant, settings } from '../../test/support/fuzz/site-copy.ts';
import { bytesOf, type OpenStage, Stage, tableOf } from '../../test/support/fuzz/stage.ts';
import { startProcess } from '../../test/support/process.ts';
import { connected } from '../../test/support/sql.ts';
import { heapAfterGc } from './heap.ts';

const perServer = 5_000;
/** Number of requests after which caches are full and the heap should no longer grow. */
const warm = 1_000;
/** Largest accepted heap at the end, relative to the heap after `warm` requests. */
const mostGrowth = 1.5;

interface Memory {
  warm: number;
  end: number;
}

/** @returns whether no fault was found and no server's heap grew */
export async function soakFuzz(t: Test, requests: number, seed: number): Promise<boolean> {
  const memories: Memory[] = [];
  const outcome = await campaign(await plant(t), {
    requests,
    perSequence: perServer,
    seed,
    open: overHttp(memories),
    onProgress: (sent) => process.stderr.isTTY && process.stderr.write(`\r${sent} requests`),
  });
  const { findings, answers, unreached, ...figures } = outcome;
  console.log(`fuzz: seed ${seed}, ${JSON.stringify({ ...figures, ...answers })}`);
  if (figures.foundAfter === null) console.log(`reached by nobody: ${unreached.join(', ') || 'none'}`);
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  console.log(
    `heap after ${warm} requests and at the end, MB: ${memories.map((one) => `${megabytes(one.warm)} ${megabytes(one.end)}`).join(', ')}`,
  );
  const grown = memories.filter((memory) => memory.end > memory.warm * mostGrowth).length;
  for (const { what, requests: shown, repeats } of findings)
    console.log([`FOUND ${what}${repeats ? '' : ' (not repeated)'}`, ...shown.map(described)].join('\n  '));
  console.log(`requests ${figures.requests}, found ${findings.length}, grown ${grown}`);
  return findings.length === 0 && grown === 0;
}

/** Sends requests to a built server over HTTP, as a browser does; adds its heap sizes to `memories`. */
const overHttp =
  (memories: Memory[]): OpenStage =>
  async (planted, work) => {
    const table = await tableOf(planted);
    return scoped(async (t) => {
      const { url: databaseUrl } = await createTestDatabase(t, planted.database);
      const server = await startProcess(t, join(projectRoot, 'dist/server/server.js'), {
        env: {
          ...settings,
          NODE_ENV: 'test',
          LOG_LEVEL: 'info',
          DATABASE_URL: databaseUrl,
          DATA_DIR: copyFiles(t, planted),
          PORT: '0',
          // The inspector is needed to collect the garbage before the heap is measured.
          NODE_OPTIONS: '--inspect=127.0.0.1:0',
        },
        cwd: tmpdir(),
        ready: /Server listening at (http:\/\/127\.0\.0\.1:\d+)/,
      });
      const [, inspector = ''] = /Debugger listening on (ws:\S+)/.exec(server.output()) ?? [];
      const agent = new Agent({ keepAlive: true });
      t.teardown(() => agent.destroy());
      const memory: Memory = { warm: 0, end: 0 };
      let asked = 0;
      const ask = async (sent: Sent): Promise<Answer> => {
        asked += 1;
        if (asked === warm) memory.warm = await heapAfterGc(inspector);
        return askServer(server.ready?.[1] ?? '', agent, sent);
      };
      const result = await connected(databaseUrl, (client) => work(new Stage(planted, table, client, ask)));
      if (asked > warm) memories.push({ ...memory, end: await heapAfterGc(inspector) });
      return result;
    });
  };

function askServer(origin: string, agent: Agent, { method, url, headers, body }: Sent): Promise<Answer> {
  const began = performance.now();
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const none = (why: string) => resolve({ status: 0, headers: {}, body: why, ms: performance.now() - began });
    // Encodes the path as browsers do.
    const path = url.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent);
    const bytes = body === undefined ? null : bytesOf(headers, body);
    // Node does not set the content length of a DELETE request's body.
    const sent = { ...headers, ...(bytes && { 'content-length': bytes.length }) };
    const request = send({ hostname, port, path, method, headers: sent, agent, signal: AbortSignal.timeout(answerTimeoutMs) });
    request.on('error', (error) => none(error.message));
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', (error) => none(error.message));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text, ms: performance.now() - began }),
      );
    });
    request.end(bytes ?? undefined);
  });
}
