/**
 * `make try-fresh-debian`: makes a Debian root, runs the commands under the first heading of docs/operations.md line by line, and lets a
 * candidate pay and study from outside. Needs root, debootstrap, systemd-nspawn, nsenter and ip; with pebble installed, certbot gets its
 * certificate from it.
 *
 * Differences from production: the domain, the provider and the certificate authority are in a second network namespace of this machine.
 * The provider is its simulator under its real name, and the site is told to accept its certificate. The mail server is on the same
 * machine.
 */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createCertificate } from '../test/support/certificate.ts';
import { firstCommands } from './checks/deployment.ts';
import {
  addresses,
  authorityManagementPort,
  authorityName,
  authorityPort,
  dnsPort,
  providerName,
  sharedFolder,
  siteName,
} from './fresh-debian/names.ts';
import { type Booted, boot, makeNetwork, makeRoot, removeNetwork, spawnOutside } from './fresh-debian/root.ts';

/** Commands that fetch packages use the machine's real network; the site's network has no Internet access. */
const fetches = /apt-get |\/build|make -C /;
const children: ChildProcess[] = [];
/** Additional certificate authorities of the site, as a path in the new root: the provider's and its own. */
const authorities = '/src/authorities.pem';
/** The recipient for which backups are encrypted. */
const recipient = await identityToRecipient(await generateIdentity());

const live = '/etc/letsencrypt/live/prepa';
/** Replaces certbot when no certificate authority is available. */
const selfMadeCertificate = `mkdir -p ${live} && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${siteName} -addext subjectAltName=DNS:${siteName} -keyout ${live}/privkey.pem -out ${live}/fullchain.pem && cat ${live}/fullchain.pem`;

process.chdir(projectRoot);
const missing = ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.log(
    `skipped: ${missing.length > 0 ? `${missing.join(', ')} missing (apt-get install debootstrap systemd-container)` : 'must be root'}`,
  );
  process.exit(0);
}
const began = performance.now();
const commands = firstCommands(readFileSync('docs/operations.md', 'utf8'));
const root = makeRoot();
execFileSync('git', ['bundle', 'create', '--quiet', join(sharedFolder, 'prepa.bundle'), 'HEAD']);
const { certificate, key } = createCertificate(providerName);
writeFileSync(join(sharedFolder, 'authority.pem'), certificate);
writeFileSync(join(sharedFolder, 'provider.key'), key, { mode: 0o600 });
gatherAuthorities();
// An additional authority, if this machine reaches the registries through a proxy with its own certificate.
const { NODE_EXTRA_CA_CERTS: machineAuthority } = process.env;
if (machineAuthority) copyFileSync(machineAuthority, join(sharedFolder, 'machine.pem'));
makeNetwork();
let debian: Booted | null = null;
try {
  const hasAuthority = await startAuthority();
  gatherAuthorities();
  await startWorld('provider');
  const mail = await startWorld('mail');
  debian = await boot(root);
  console.log(`Debian is there after ${seconds()} s; ${commands.length} commands`);
  for (const [index, command] of commands.entries()) await runCommand(debian, command, index, { mail, hasAuthority });
  await strictDoctor(debian);
  for (const timer of ['expire', 'reconcile', 'prune', 'backup', 'backup-media']) check(debian, `systemctl is-active prepa-${timer}.timer`);
  check(debian, 'ls -l /var/lib/prepa-backups /etc/prepa && systemd-analyze security --no-pager prepa-web | tail -1');
  // Contents that teachers would have written meanwhile.
  check(debian, 'prepa seed', { NODE_EXTRA_CA_CERTS: authorities });
  const candidate = spawnOutside(process.execPath, [join(import.meta.dirname, 'fresh-debian/candidate.ts')]);
  candidate.stdout?.pipe(process.stdout);
  const [code] = await once(candidate, 'close');
  if (code !== 0) throw new Error('the candidate did not get to the end');
  check(debian, 'prepa payments list --limit 1');
  check(debian, `! journalctl --unit prepa-web --output cat | grep -E '"level":"(error|fatal)"'`);
  console.log(`paid and studied; ${seconds()} s in all`);
} finally {
  if (process.env.KEEP === '1') await new Promise((resolve) => process.once('SIGINT', resolve));
  await debian?.stop();
  for (const child of children) child.kill();
  removeNetwork();
  if (process.env.KEEP !== '1') rmSync(root, { recursive: true, force: true });
}

function gatherAuthorities(): void {
  const paths = ['authority.pem', 'site-authority.pem'].map((name) => join(sharedFolder, name)).filter(existsSync);
  writeFileSync(join(sharedFolder, 'authorities.pem'), paths.map((path) => readFileSync(path, 'utf8')).join('\n'));
}

function seconds(): number {
  return Math.round((performance.now() - began) / 1000);
}

interface World {
  mail: string;
  hasAuthority: boolean;
}

async function runCommand(debian: Booted, written: string, index: number, { mail, hasAuthority }: World): Promise<void> {
  const command = written.replaceAll(/https:\/\/git\.example\/\S+\.git/g, '/src/prepa.bundle').replaceAll('prepa.example', siteName);
  const env = { DEBIAN_FRONTEND: 'noninteractive', NODE_EXTRA_CA_CERTS: fetches.test(command) ? '/src/machine.pem' : authorities };
  if (command.startsWith('certbot')) prepareCertbot(debian, hasAuthority);
  const isCertbotAlone = command.startsWith('certbot') && !hasAuthority;
  const line = isCertbotAlone ? selfMadeCertificate : command;
  const at = performance.now();
  // Lines run one after another as in one terminal: variables set by a line are kept for the next.
  const inTerminal = `[ -f /run/terminal ] && . /run/terminal\n${line}\nstatus=$?\n{ declare -p OWNER_PASSWORD; } > /run/terminal 2>/dev/null\nexit $status`;
  const options = { reaches: fetches.test(command), input: answersTo(command, mail), env };
  let { status, output } = debian.run(inTerminal, options);
  // The first reconciliation and the start of the server take a moment, so the doctor is retried.
  for (let tries = 0; status !== 0 && command.startsWith('prepa doctor') && tries < 30; tries += 1) {
    await sleep(2_000);
    ({ status, output } = debian.run(inTerminal, options));
  }
  console.log(
    `${String(index + 1).padStart(2)}. ${Math.round((performance.now() - at) / 1000)} s  ${written.slice(0, 100)}${isCertbotAlone ? ' (not run: pebble is missing; a certificate of our own)' : ''}`,
  );
  if (/prepa (setup|doctor)/.test(command))
    console.log(output.replaceAll(/^/gm, '      ').replaceAll(/(clé d'administration \d : )\S+/gi, '$1…'));
  if (isCertbotAlone) {
    writeFileSync(join(sharedFolder, 'site-authority.pem'), /-----BEGIN CERTIFICATE[\s\S]+CERTIFICATE-----\n/.exec(output)?.[0] ?? '');
    gatherAuthorities();
  }
  if (status !== 0) throw new Error(`command ${index + 1} ended with ${status}:\n${output.slice(-6_000)}`);
}

/** Returns the input in the order of the questions; an empty line accepts the default in brackets. */
function answersTo(command: string, mail: string): string {
  if (!command.includes('prepa setup')) return '';
  const lines = [`https://${siteName}`, '', 'maison', `site@${siteName}`, mail, `aide@${siteName}`, '+237 600 00 00 00', recipient, 'o'];
  return `${lines.join('\n')}\n`;
}

/** Makes certbot use an authority on this machine instead of Let's Encrypt, with the same command. */
function prepareCertbot(debian: Booted, hasAuthority: boolean): void {
  // Must run before the server starts, so that it accepts the provider's certificate.
  check(
    debian,
    `printf "[Service]\\nEnvironment=NODE_EXTRA_CA_CERTS=${authorities}\\n" > /etc/systemd/system/prepa-.service.d/90-try.conf`,
  );
  if (hasAuthority)
    check(debian, `printf "server = https://${authorityName}:${authorityPort}/dir\\nno-verify-ssl = true\\n" >> /etc/letsencrypt/cli.ini`);
}

function check(debian: Booted, line: string, env: Record<string, string> = {}): void {
  const { status, output } = debian.run(line, { reaches: false, env });
  if (output.trim() !== '') console.log(`    ${line}\n${output.trimEnd().replaceAll(/^/gm, '      ')}`);
  if (status !== 0) throw new Error(`${line}: ${status}\n${output}`);
}

async function strictDoctor(debian: Booted): Promise<void> {
  const env = { NODE_EXTRA_CA_CERTS: authorities };
  if (!debian.run('prepa doctor --help', { reaches: false, env }).output.includes('--strict'))
    return console.log('    this release has no « prepa doctor --strict »');
  check(debian, 'prepa doctor --strict', env);
}

/** Starts Pebble, Let's Encrypt's test server, and its DNS server. @returns false when they are not installed */
async function startAuthority(): Promise<boolean> {
  if (spawnSync('pebble', ['-version']).error || spawnSync('pebble-challtestsrv', ['-h']).error) return false;
  const at = addresses[authorityName];
  const own = createCertificate(authorityName);
  writeFileSync(join(sharedFolder, 'acme.pem'), own.certificate);
  writeFileSync(join(sharedFolder, 'acme.key'), own.key, { mode: 0o600 });
  const pebble = {
    listenAddress: `${at}:${authorityPort}`,
    managementListenAddress: `${at}:${authorityManagementPort}`,
    certificate: join(sharedFolder, 'acme.pem'),
    privateKey: join(sharedFolder, 'acme.key'),
    httpPort: 80,
    tlsPort: 443,
  };
  writeFileSync(join(sharedFolder, 'pebble.json'), JSON.stringify({ pebble }));
  const dns = [
    '-defaultIPv4',
    addresses[siteName] ?? '',
    '-defaultIPv6',
    '',
    '-dns01',
    `${at}:${dnsPort}`,
    '-http01',
    '',
    '-https01',
    '',
    '-tlsalpn01',
    '',
  ];
  children.push(quiet(spawnOutside('pebble-challtestsrv', [...dns, '-management', `${at}:8055`])));
  children.push(
    quiet(
      spawnOutside('pebble', ['-config', join(sharedFolder, 'pebble.json'), '-dnsserver', `${at}:${dnsPort}`], {
        env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
      }),
    ),
  );
  const roots = `https://${at}:${authorityManagementPort}/roots/0`;
  for (let tries = 0; tries < 50; tries += 1) {
    const fetched = spawnOutside('curl', ['--silent', '--insecure', '--fail', roots]);
    let text = '';
    fetched.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(fetched, 'close');
    if (text.includes('BEGIN CERTIFICATE')) {
      writeFileSync(join(sharedFolder, 'site-authority.pem'), text);
      return true;
    }
    await sleep(200);
  }
  throw new Error('pebble did not start');
}

function quiet(child: ChildProcess): ChildProcess {
  child.stdout?.resume();
  return child;
}

/** Starts a service that the site uses. @returns its address */
async function startWorld(part: 'provider' | 'mail'): Promise<string> {
  const child = spawnOutside(process.execPath, [join(import.meta.dirname, 'fresh-debian/outside-world.ts'), part], {
    onServer: part === 'mail',
    // The provider sends notifications to the site, so it must accept the site's certificate.
    env: { NODE_EXTRA_CA_CERTS: join(sharedFolder, 'site-authority.pem') },
  });
  children.push(child);
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^ready (\S+)$/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error(`no ${part}`);
}
