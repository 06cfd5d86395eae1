/**
 * Checks the settings, commands and numbers in deploy/ and docs/operations.md; checks the syntax of the files with nginx and systemd where
 * these are installed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { buildProgram } from '../../cli/program.ts';
import { loadConfig } from '../../src/config.ts';
import { maxDrainedBytes } from '../../src/platform/files/uploads.ts';
import { headersTimeoutMs, keepAliveTimeoutMs, requestTimeoutMs } from '../../src/platform/http/request-times.ts';
import { createCertificate } from '../../test/support/certificate.ts';
import { knowsCommand } from './known-commands.ts';

const units = 'deploy/systemd';
const shared = `${units}/prepa-.service.d/10-prepa.conf`;
const nginxFile = 'deploy/nginx/prepa.conf';
const composeFile = 'deploy/compose/compose.yaml';
const operations = 'docs/operations.md';
/** Settings read by the memory allocator, other images and this project's scripts. */
const foreign = /^(MALLOC_\w+|POSTGRES_\w+|TZ|NPM_CONFIG_\w+|PREPA_(RELEASE|IMAGE)|OWNER_PASSWORD)$/;
/** The installation folder of a release in these files. */
const installed = '/opt/prepa/current';

/** Returns null when there is no fault, otherwise the faults, one per line. */
export async function checkDeployment(): Promise<string | null> {
  const read = (file: string) => readFileSync(file, 'utf8');
  const known = settingsOf(read('.env.example'));
  const texts = Object.fromEntries(
    [...unitFiles(), shared, 'deploy/compose/timers.sh', operations, 'Dockerfile'].map((file) => [file, read(file)] as const),
  );
  const compose = read(composeFile);
  const faults = [
    ...Object.entries(texts).flatMap(([file, text]) => [
      ...unknownSettings(text, known).map((name) => `${file}: ${name} is no setting (.env.example)`),
      ...(file === 'Dockerfile' ? [] : unknownCommands(text)).map((line) => `${file}: there is no command « ${line} »`),
    ]),
    ...composeFaults(compose, known),
    ...volumeFaults(compose, texts.Dockerfile ?? ''),
    ...numberFaults({ shared: texts[shared] ?? '', nginx: read(nginxFile), compose }),
    ...commandCount(texts[operations] ?? ''),
    ...nginxSyntax(),
    ...systemdSyntax(),
  ];
  return faults.join('\n') || null;
}

const unitFiles = (): string[] =>
  readdirSync(units)
    .filter((name) => /\.(service|timer)$/.test(name))
    .map((name) => join(units, name));

/** Returns the names of settings in .env.example. */
export const settingsOf = (example: string): Set<string> =>
  new Set([...example.matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name));

/** Returns names before an equals sign that no program reads. NAME_FILE counts as NAME, for secrets stored in files. */
export function unknownSettings(text: string, known: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/(?<![\w$-])([A-Z][A-Z0-9]*_[A-Z0-9_]+)=/g)].map(([, name = '']) => name);
  return [...new Set(named)].filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')) && !foreign.test(name));
}

/** Returns unknown commands of `prepa`: after `cli/main.js`, and after `prepa` at the start of a line or a code span. */
export function unknownCommands(text: string): string[] {
  const lines = [
    ...text.matchAll(/cli\/main\.js +([^\n&|;`]+)/g),
    ...text.matchAll(/(?:^ *|[`;&|(] *|sudo |\d\) |prepa-concours |localhost\/prepa )prepa +([a-z-][^\n&|;`#]*)/gm),
  ];
  const program = buildProgram();
  return [...new Set(lines.map(([, line = '']) => line.trim()))].filter((line) => !knowsCommand(program, line.split(/\s+/)));
}

interface Service {
  image?: string;
  command?: string | string[];
  environment?: Record<string, string>;
  volumes?: string[];
  healthcheck?: { disable?: boolean };
}

/** Returns faults in the YAML, settings and commands of a compose file. */
export function composeFaults(text: string, known: ReadonlySet<string>): string[] {
  let services: Record<string, Service>;
  try {
    ({ services } = parse(text, { merge: true }) as { services: Record<string, Service> });
  } catch (error) {
    return [`${composeFile}: ${(error as Error).message}`];
  }
  return Object.entries(services).flatMap(([name, { image = '', command = [], environment = {}, healthcheck }]) => [
    ...Object.keys(environment)
      .filter((setting) => !known.has(setting) && !foreign.test(setting))
      .map((setting) => `${composeFile}: ${name}: ${setting} is no setting (.env.example)`),
    ...(command[0] === 'prepa' && !knowsCommand(buildProgram(), command.slice(1) as string[])
      ? [`${composeFile}: ${name}: there is no command « ${command.slice(1)} »`]
      : []),
    ...(image.includes('prepa-concours') && command.length > 0 && healthcheck?.disable !== true
      ? [`${composeFile}: ${name}: the image's health check asks for the server, which does not run here`]
      : []),
    ...(image.startsWith('postgres') && !String(environment.POSTGRES_INITDB_ARGS).includes('--auth-local=scram-sha-256')
      ? [`${composeFile}: ${name}: whoever has its socket is its owner without a password (POSTGRES_INITDB_ARGS)`]
      : []),
  ]);
}

/**
 * Returns volumes that the site's account could not write. A new volume gets the owner of the image's folder at its mount point, or root
 * when there is none.
 */
export function volumeFaults(text: string, dockerfile: string): string[] {
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
  const folders = /chown node:node ([^&\n]+)/.exec(dockerfile)?.[1]?.trim().split(/\s+/) ?? [];
  const mounted = Object.values(services)
    .filter(({ image = '' }) => image.includes('prepa-concours'))
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')))
    // Excludes files of the host and PostgreSQL's own volume, which its image creates.
    .filter(([from = '', to]) => /^\w/.test(from) && to !== '/var/run/postgresql')
    .map(([, to = '']) => to);
  return [...new Set(mounted)]
    .filter((to) => !folders.includes(to))
    .map((to) => `${composeFile}: ${to} is no folder of node's in the image (Dockerfile)`);
}

/** Returns numbers that differ from the code's. */
export function numberFaults({ shared, nginx, compose }: { shared: string; nginx: string; compose: string }): string[] {
  const { shutdownTimeoutMs, port } = loadConfig({});
  const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]) * 1000;
  const rules: [holds: boolean, fault: string][] = [
    [seconds(shared, /^TimeoutStopSec=(\d+)$/m) > shutdownTimeoutMs, 'TimeoutStopSec must be longer than SHUTDOWN_TIMEOUT_MS'],
    [seconds(compose, /stop_grace_period: (\d+)s/) > shutdownTimeoutMs, 'stop_grace_period must be longer than SHUTDOWN_TIMEOUT_MS'],
    [
      Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1024 * 1024 === maxDrainedBytes,
      'client_max_body_size must be what the site reads of a refused form (maxDrainedBytes)',
    ],
    [seconds(nginx, /client_header_timeout (\d+)s;/) === headersTimeoutMs, 'client_header_timeout must be headersTimeoutMs'],
    ...['proxy_read_timeout', 'proxy_send_timeout'].map((name): [boolean, string] => [
      seconds(nginx, new RegExp(`${name} (\\d+)s;`)) > requestTimeoutMs,
      `${name} must be longer than requestTimeoutMs`,
    ]),
    [
      seconds(nginx, /^ +keepalive_timeout (\d+)s;/m) < keepAliveTimeoutMs,
      "upstream's keepalive_timeout must be shorter than keepAliveTimeoutMs",
    ],
    [nginx.includes(`server 127.0.0.1:${port};`), 'upstream must be the default HOST and PORT'],
    [!/X-Forwarded-For (?!\$remote_addr;)/.test(nginx), 'X-Forwarded-For must be the one address that nginx sees'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => `deploy: ${fault}`);
}

/** Returns the commands that take a fresh server to production: the code lines under the first heading. */
export const firstCommands = (markdown: string): string[] =>
  (/^## .*\n([\s\S]*?)(?=^## )/m.exec(markdown)?.[1] ?? '')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => /^ {4}\S/.test(line) && !/^ {4}#/.test(line))
    .map((line) => line.trim());

const commandCount = (markdown: string): string[] => {
  const { length } = firstCommands(markdown);
  return length > 0 && length <= 15 ? [] : [`${operations}: ${length} commands, where 1 to 15 were promised`];
};

function missing(tool: string): boolean {
  const isMissing = spawnSync(tool, ['--version']).error !== undefined && spawnSync(tool, ['-v']).error !== undefined;
  if (isMissing) console.log(`skipped ${tool}: not installed here, deploy/ is not shown to it`);
  return isMissing;
}

/** @param config the configuration file, whose paths are replaced by temporary ones */
export function nginxSyntax(config = readFileSync(nginxFile, 'utf8')): string[] {
  if (missing('nginx')) return [];
  const folder = mkdtempSync(join(tmpdir(), 'prepa-nginx-'));
  try {
    const { certificate, key } = createCertificate('prepa.example');
    writeFileSync(join(folder, 'fullchain.pem'), certificate);
    writeFileSync(join(folder, 'privkey.pem'), key);
    const here = config
      .replaceAll(/\/etc\/letsencrypt\/live\/prepa|\/var\/cache\/prepa-nginx/g, folder)
      .replaceAll(/listen (\[::\]:)?(80|443)/g, 'listen $149$2');
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary(folder)}\n${here}\n}\n`,
    );
    const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], { encoding: 'utf8' });
    return status === 0 ? [] : [`${nginxFile}: ${stderr.trim()}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const temporary = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');

/** @param from the folder of the unit files */
export function systemdSyntax(from = units): string[] {
  if (missing('systemd-analyze')) return [];
  const folder = mkdtempSync(join(tmpdir(), 'prepa-units-'));
  try {
    cpSync(from, folder, { recursive: true });
    mkdirSync(join(folder, 'prepa-.service.d'), { recursive: true });
    const names = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name));
    for (const name of names) {
      // Lets systemd check that the started programs exist, in this checkout instead of the installation folder.
      const unit = readFileSync(join(folder, name), 'utf8').replaceAll(`${installed}/`, `${process.cwd()}/`);
      writeFileSync(join(folder, name), unit);
    }
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...names.map((name) => join(folder, name))], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
    // Messages about other units of the machine are ignored.
    return stderr
      .split('\n')
      .filter((line) => line.includes('prepa'))
      .map((line) => `${units}: ${line.replaceAll(`${folder}/`, '')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
