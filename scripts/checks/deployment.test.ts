import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  checkDeployment,
  composeFaults,
  firstCommands,
  nginxSyntax,
  numberFaults,
  settingsOf,
  systemdSyntax,
  unknownCommands,
  unknownSettings,
  volumeFaults,
} from './deployment.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const known = settingsOf(read('.env.example'));
const nginx = read('deploy/nginx/prepa.conf');
const compose = read('deploy/compose/compose.yaml');
const timers = 'deploy/compose/timers.sh';
const shared = read('deploy/systemd/prepa-.service.d/10-prepa.conf');

t.test('deploy/ and docs/operations.md have no faults', async (t) => {
  t.equal(await checkDeployment(), null);
});

t.test('reports unknown settings and commands', async (t) => {
  t.same(unknownSettings('Environment=TRUST_PROXI=loopback SMTP_URL_FILE=%d/smtp DATA_DIR=/x', known), ['TRUST_PROXI']);
  t.same(unknownCommands('ExecStart=/x/node /x/dist/cli/main.js enrolments expires\n'), ['enrolments expires']);
  t.same(unknownCommands('    prepa backup /x --medias   # no\nsay `prepa doctor` and prepa itself\n`prepa keys`'), [
    'backup /x --medias',
    'keys',
  ]);
  t.same(unknownCommands('    prepa restore FILE --verify\n    prepa admins reset EMAIL --second-factor'), []);
  t.same(composeFaults('services:\n  a:\n    command: [prepa, db, migrat]\n    environment: { TRUST_PROXI: x }', known), [
    'deploy/compose/compose.yaml: a: TRUST_PROXI is no setting (.env.example)',
    'deploy/compose/compose.yaml: a: there is no command « db,migrat »',
  ]);
  t.same(composeFaults('services:\n  a:\n    image: prepa-concours\n    command: [sh, /timers.sh]', known), [
    "deploy/compose/compose.yaml: a: the image's health check asks for the server, which does not run here",
  ]);
  t.match(composeFaults('services: [', known), [/compose\.yaml: /]);
  t.same(composeFaults(compose.replace(' --auth-local=scram-sha-256', ''), known), [
    'deploy/compose/compose.yaml: postgres: whoever has its socket is its owner without a password (POSTGRES_INITDB_ARGS)',
  ]);
});

t.test('reports a volume that the site cannot write', async (t) => {
  const dockerfile = read('Dockerfile');
  t.same(volumeFaults(compose, dockerfile), []);
  t.same(volumeFaults(compose.replace('backups:/var/lib/prepa-backups', 'backups:/elsewhere'), dockerfile), [
    "deploy/compose/compose.yaml: /elsewhere is no folder of node's in the image (Dockerfile)",
  ]);
});

t.test('reports numbers that differ from those in the code', async (t) => {
  const faults = (changed: Partial<Parameters<typeof numberFaults>[0]>) => numberFaults({ shared, nginx, compose, ...changed });
  t.same(faults({}), []);
  t.match(faults({ shared: shared.replace('TimeoutStopSec=20', 'TimeoutStopSec=8') }), [/TimeoutStopSec/]);
  t.match(faults({ compose: compose.replace('stop_grace_period: 20s', 'stop_grace_period: 5s') }), [/stop_grace_period/]);
  t.match(faults({ nginx: nginx.replace('client_max_body_size 64m', 'client_max_body_size 1m') }), [/client_max_body_size/]);
  t.match(faults({ nginx: nginx.replace('proxy_read_timeout 130s', 'proxy_read_timeout 60s') }), [/proxy_read_timeout/]);
  t.match(faults({ nginx: nginx.replace('  keepalive_timeout 60s', '  keepalive_timeout 75s') }), [/keepalive_timeout/]);
  t.match(faults({ nginx: nginx.replace('127.0.0.1:3000', '127.0.0.1:8080') }), [/upstream/]);
  t.match(faults({ nginx: nginx.replace('X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for') }), [
    /X-Forwarded-For/,
  ]);
});

t.test('reports syntax errors found by nginx and systemd, where they are installed', async (t) => {
  const refused = nginxSyntax(nginx.replace('keepalive 64;', 'keepalives 64;'));
  if (refused.length > 0) t.match(refused, [/unknown directive "keepalives"/]);
  const folder = t.testdir();
  cpSync('deploy/systemd', folder, { recursive: true });
  const unit = join(folder, 'prepa-prune.service');
  writeFileSync(unit, read(unit).replace('ExecStart=/opt/prepa/current/node_modules', 'ExecStart=/opt/prepa/current/absent'));
  const told = systemdSyntax(folder);
  if (told.length > 0) t.match(told.join('\n'), /prepa-prune\.service: Command .*absent.* is not executable/);
});

t.test('the first commands are the code lines under the first heading', async (t) => {
  t.same(firstCommands('# A\n\n## First\n\ntext\n\n    one \\\n      more\n    # no\n    two\n\n## Next\n\n    three\n'), [
    'one       more',
    'two',
  ]);
});

t.test('container timers run at their hour, and again an hour later after a missed or failed run', async (t) => {
  const folder = t.testdir({
    prepa: '#!/bin/sh\necho "$*" >> said\n[ "$*" != "$FAILS" ]',
    // The stub prints the day, the hour, or both.
    date: '#!/bin/sh\ncase $1 in +%F) cut -dT -f1 hours | head -n 1 ;; +%H) cut -dT -f2 hours | head -n 1 ;; *) head -n 1 hours ;; esac',
    sleep: '#!/bin/sh\nsed -i 1d hours\n[ -s hours ] || kill $PPID',
    hours: '',
  });
  for (const name of ['prepa', 'date', 'sleep']) chmodSync(join(folder, name), 0o755);
  const said = (hours: string[], FAILS = '') => {
    writeFileSync(join(folder, 'hours'), hours.map((hour) => `${hour}\n`).join(''));
    writeFileSync(join(folder, 'said'), '');
    spawnSync('sh', [join(process.cwd(), timers)], { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}`, FAILS }, timeout: 20_000 });
    return readFileSync(join(folder, 'said'), 'utf8').split('\n');
  };
  const count = (lines: string[], command: string) => lines.filter((line) => line === command).length;
  const night = ['00', '01', '02', '02', '03', '04', '05', '06'].map((hour) => `2026-11-24T${hour}`);
  const expire = 'enrolments expire';
  const ofNight = said(night);
  for (const command of ['payments reconcile', 'content publish'])
    t.equal(count(ofNight, command), 8, `${command}: at every run of the schedule`);
  t.equal(count(ofNight, 'backup /var/lib/prepa-backups'), 7, 'once an hour');
  for (const command of ['backup /var/lib/prepa-backups --media', 'prune', expire])
    t.equal(count(ofNight, command), 1, `${command}: once a day`);
  t.equal(count(said(['2026-11-24T01', '2026-11-24T04']), expire), 0, 'not before its hour');
  t.equal(count(said(['2026-11-24T09', '2026-11-24T10']), expire), 1, 'a run missed while the machine was off is made up for');
  t.equal(
    count(said(['2026-11-24T05', '2026-11-24T05', '2026-11-24T06', '2026-11-24T07'], expire), expire),
    3,
    'a failed command runs once an hour',
  );
  t.equal(count(said(['2026-11-24T05', '2026-11-25T05']), expire), 2, 'once each day');
});
