/**
 * `ONLY=rolling make soak`: sends REQUESTS (100,000) requests through nginx to two servers that are stopped and restarted in turn. A
 * watcher acts as the load balancer: it polls /readyz and removes a server that is not ready from nginx. No request may fail. With FROM,
 * the built folder of an earlier release, the first two servers run that release on this release's database, and each is replaced by a
 * server of this release.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../src/platform/processes/free-port.ts';
import { createLearner, createPrepa } from '../../test/support/factories.ts';
import { sql } from '../../test/support/sql.ts';
import { createWorld, type Server } from '../../test/support/world.ts';

const lanes = 8;
/** Interval of the /readyz polls, in ms: several within the time that a stopping server refuses them. */
const askEveryMs = 200;
const drainMs = 5_000;
/** Enough learners that none exceeds the limit of payments per minute. */
const payers = 50;

interface Place {
  port: number;
  server: Server;
  isUp: boolean;
}

/** @returns whether no request failed and the servers were restarted; prints a message and returns true when nginx is missing */
export async function soakRolling(t: Test, folder: string, requests: number): Promise<boolean> {
  if (spawnSync('nginx', ['-v']).error) {
    console.log('rolling restart: skipped, nginx is missing (apt-get install nginx)');
    return true;
  }
  const world = await createWorld(t, {
    env: {
      SHUTDOWN_DRAIN_MS: String(drainMs),
      SHUTDOWN_TIMEOUT_MS: String(4 * drainMs),
      LOG_LEVEL: 'warn',
      PAYMENT_STARTS_PER_LEARNER: '1000000',
    },
  });
  const learners = await Promise.all(Array.from({ length: payers }, () => createLearner(world)));
  const prepa = await createPrepa(world);
  const start = (port: number, release?: string) => world.startServer({ PORT: String(port), LOG_LEVEL: 'info' }, release);
  const places: Place[] = [];
  for (let count = 0; count < 2; count += 1) {
    const port = await freePort();
    places.push({ port, server: await start(port, process.env.FROM || undefined), isUp: true });
  }
  const nginx = await startNginx(t, folder, places);
  let running = true;
  const watching = (async () => {
    for (; running; await sleep(askEveryMs)) {
      const ready = await Promise.all(places.map(({ port }) => isReady(port)));
      // Keep the upstreams as they are when no server is ready.
      if (!ready.includes(true) || places.every(({ isUp }, index) => isUp === ready[index])) continue;
      for (const [index, place] of places.entries()) place.isUp = ready[index] === true;
      nginx.use(places);
    }
  })();
  let restarts = 0;
  const restarting = (async () => {
    while (running) {
      for (const place of places) {
        await untilInTurn(places, () => running);
        if (!running) return;
        const code = await place.server.stop();
        if (code !== 0) throw new Error(`a server ended with ${code}`);
        place.server = await start(place.port);
        restarts += 1;
      }
    }
  })();

  // Each request has its own connection: on a reload nginx closes kept connections, and a client would have to repeat a request sent on
  // one.
  const agent = new Agent({ keepAlive: false });
  const failures: Record<string, number> = {};
  const references: string[] = [];
  let sent = 0;
  const began = performance.now();
  const lane = async () => {
    while (sent < requests) {
      const number = sent;
      sent += 1;
      const result = await one(agent, nginx.port, number, learners[(number / 10) % payers]?.token ?? '', prepa.id);
      if (result.status !== 200) failures[result.status] = (failures[result.status] ?? 0) + 1;
      else if (result.reference) references.push(result.reference);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  running = false;
  await Promise.all([watching, restarting]);
  agent.destroy();
  const seconds = (performance.now() - began) / 1000;
  const [row] = await sql<{ lost: number }>(
    world.databaseUrl,
    'select count(*)::int as lost from unnest($1::text[]) asked where not exists (select from payment where reference = asked)',
    [[...new Set(references)]],
  );
  const { '503': refused = 0, ...others } = failures;
  const failed = Object.values(others).reduce((sum, count) => sum + count, 0);
  console.log(
    `rolling restart behind nginx: ${sent} sent, ${refused} refused (503), ${failed} failed ${JSON.stringify(others)}, ${row?.lost} lost, ${restarts} restarts, ${seconds.toFixed(0)} s`,
  );
  return refused === 0 && failed === 0 && row?.lost === 0 && restarts >= 2;
}

/** Waits until both servers are ready and nginx has been reloaded, so that the next one may stop. */
async function untilInTurn(places: readonly Place[], waiting: () => boolean): Promise<void> {
  await sleep(2 * askEveryMs);
  while (waiting() && !places.every(({ isUp }) => isUp)) await sleep(50);
  await sleep(2 * askEveryMs);
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );

/** Sends a request: pages and API calls, and every tenth time the start of a payment. */
function one(
  agent: Agent,
  port: number,
  number: number,
  token: string,
  prepaId: number,
): Promise<{ status: number | string; reference?: string }> {
  const pays = number % 10 === 0;
  const body = pays ? JSON.stringify({ prepaId }) : '';
  const path = pays ? '/api/payment/start' : number % 2 === 0 ? '/' : '/api/prepas/published';
  return new Promise((resolve) => {
    const asked = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        path,
        method: pays ? 'POST' : 'GET',
        headers: {
          accept: path === '/' ? 'text/html' : 'application/json',
          ...(pays && { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
        timeout: 20_000,
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          if (pays) text += chunk;
        });
        answer.on('error', ({ message }) => resolve({ status: message }));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, ...(pays && answer.statusCode === 200 && { reference: JSON.parse(text).reference }) }),
        );
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('timeout')));
    asked.on('error', ({ message }) => resolve({ status: message }));
    asked.end(body);
  });
}

/** Starts nginx as the documentation configures it, in its own folder. It never retries a POST on another server. */
async function startNginx(t: Pick<Test, 'teardown'>, folder: string, places: readonly Place[]) {
  const port = await freePort();
  const home = join(folder, 'nginx');
  mkdirSync(home);
  const upstreams = join(home, 'upstreams.conf');
  const write = (all: readonly Place[]) =>
    writeFileSync(upstreams, all.map((place) => `server 127.0.0.1:${place.port} max_fails=0${place.isUp ? '' : ' down'};\n`).join(''));
  write(places);
  const configuration = join(home, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`).join(' ');
  writeFileSync(
    configuration,
    `pid ${home}/nginx.pid; error_log ${home}/error.log; worker_processes 1; daemon off;
events { worker_connections 1024; }
http {
  access_log off; proxy_max_temp_file_size 0; ${temporary}
  upstream site { include ${upstreams}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://site;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`,
  );
  const child: ChildProcess = spawn('nginx', ['-p', home, '-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  while (
    child.exitCode === null &&
    !(await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    ))
  )
    await sleep(50);
  if (child.exitCode !== null) throw new Error(readFileSync(join(home, 'error.log'), 'utf8'));
  return {
    port,
    use(all: readonly Place[]) {
      write(all);
      child.kill('SIGHUP');
    },
  };
}
