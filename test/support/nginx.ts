import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../src/platform/processes/free-port.ts';

/**
 * Starts nginx with the shipped configuration in front of a server, and stops it with the test. It serves plain HTTP, without a
 * certificate.
 *
 * @param sitePort the server's port on 127.0.0.1
 * @returns nginx's port on 127.0.0.1; null when nginx is not installed
 */
export async function startNginx(t: Test, sitePort: number): Promise<{ port: number } | null> {
  if (spawnSync('nginx', ['-v']).error) return null;
  const folder = mkdtempSync(join(tmpdir(), 'prepa-nginx-'));
  mkdirSync(join(folder, 'cache'));
  const port = await freePort();
  const shipped = readFileSync('deploy/nginx/prepa.conf', 'utf8')
    .replace('server 127.0.0.1:3000;', `server 127.0.0.1:${sitePort};`)
    .replace('/var/cache/prepa-nginx', join(folder, 'cache'))
    // Remove the server block that redirects to HTTPS.
    .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, '')
    .replace(/ {2}listen 443 ssl http2;\n {2}listen \[::\]:443 ssl http2;\n/, `  listen 127.0.0.1:${port};\n`)
    .replaceAll(/^ {2}ssl_.*\n/gm, '');
  // A main configuration like Debian's, with this site included.
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;\nworker_processes auto;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents { worker_connections 768; }\nhttp {\naccess_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}\n${shipped}\n}\n`,
  );
  const server = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: ['ignore', 'ignore', 'inherit'] });
  t.teardown(async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await answers(port))) {
    if (server.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
    await pause(20);
  }
  return { port };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket
      .on('error', () => resolve(false))
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}
