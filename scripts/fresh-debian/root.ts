/**
 * A separate Debian system, made by debootstrap and started by systemd-nspawn, in a network namespace that is connected to a second one
 * only: the simulated Internet.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, globSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addresses, candidateAddress, folder, sharedFolder, siteName } from './names.ts';

const suite = process.env.SUITE ?? 'bookworm';
const network = `prepa-${process.pid}`;
const world = `${network}-world`;
/** Packages of a typical delivered server. */
const included = 'systemd,systemd-sysv,dbus,ca-certificates,iproute2';

/** Returns the mirror of this machine's own packages. */
function mirror(): string {
  const sources = globSync('/etc/apt/{sources.list,sources.list.d/*}').map((file) => readFileSync(file, 'utf8'));
  return /^(?:deb|URIs:) +(\S+\/debian)\/?\s/m.exec(sources.join('\n'))?.[1] ?? 'http://deb.debian.org/debian';
}

/** @returns the folder made by debootstrap, which later runs reuse */
export function makeBase(): string {
  const base = join(folder, `base-${suite}`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(base)) {
    const part = `${base}.part`;
    rmSync(part, { recursive: true, force: true });
    execFileSync('debootstrap', ['--variant=minbase', `--include=${included}`, suite, part, mirror()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(part, base);
  }
  return base;
}

/** @returns the folder of a new root, a copy of the debootstrap result */
export function makeRoot(): string {
  const [base, root] = [makeBase(), join(folder, 'root')];
  mkdirSync(sharedFolder, { recursive: true });
  rmSync(root, { recursive: true, force: true });
  execFileSync('cp', ['--archive', base, root]);
  // The root does not need to survive a power cut.
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
  return root;
}

const hosts = (): string =>
  ['127.0.0.1 localhost', ...Object.entries(addresses).map(([name, address]) => `${address} ${name}`), ''].join('\n');

/** Creates the network namespaces; programs outside the root see the same host names as inside. */
export function makeNetwork(): void {
  const ip = (...args: string[]) => execFileSync('ip', args);
  for (const name of [network, world]) {
    ip('netns', 'add', name);
    mkdirSync(`/etc/netns/${name}`, { recursive: true });
    writeFileSync(`/etc/netns/${name}/hosts`, hosts());
  }
  ip('link', 'add', 'site', 'netns', network, 'type', 'veth', 'peer', 'name', 'world', 'netns', world);
  const stands = Object.entries(addresses).map(([name, address]) => ({ address, at: name === siteName ? network : world }));
  for (const { address, at } of [...stands, { address: candidateAddress, at: world }])
    ip('-n', at, 'address', 'add', `${address}/24`, 'dev', at === network ? 'site' : 'world');
  for (const [name, link] of [
    [network, 'site'],
    [world, 'world'],
  ] as const) {
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'link', 'set', link, 'up');
  }
}

export function removeNetwork(): void {
  for (const name of [network, world]) {
    spawnSync('ip', ['netns', 'delete', name]);
    rmSync(`/etc/netns/${name}`, { recursive: true, force: true });
  }
}

/** Starts a program outside the root: in the simulated Internet, or in the server's network namespace. */
export const spawnOutside = (
  command: string,
  args: string[],
  { env = {}, onServer = false }: { env?: Record<string, string>; onServer?: boolean } = {},
): ChildProcess =>
  spawn('ip', ['netns', 'exec', onServer ? network : world, command, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

export interface Booted {
  /** Runs a shell line as root inside the system. @param reaches whether it needs the machine's real network, for packages */
  run(line: string, options: { reaches: boolean; input?: string; env?: Record<string, string> }): { status: number; output: string };
  stop(): Promise<void>;
}

export async function boot(root: string): Promise<Booted> {
  writeFileSync(join(root, 'etc/hosts'), hosts());
  const log = openSync(join(folder, 'boot.log'), 'w');
  const nspawn = spawn(
    'systemd-nspawn',
    [
      '--quiet',
      `--directory=${root}`,
      '--boot',
      // Works without systemd on the host.
      '--register=no',
      '--keep-unit',
      `--network-namespace-path=/run/netns/${network}`,
      '--resolv-conf=copy-host',
      `--bind-ro=${sharedFolder}:/src`,
    ],
    { stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const ended = new Promise<void>((resolve) => nspawn.once('close', () => resolve()));
  const enter = (reaches: boolean) => [
    '--target',
    leaderOf(nspawn),
    '--mount',
    '--uts',
    '--ipc',
    '--pid',
    '--cgroup',
    ...(reaches ? [] : ['--net']),
  ];
  const booted: Booted = {
    run(line, { reaches, input = '', env = {} }) {
      const settings = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8', ...env };
      const { status, stdout, stderr } = spawnSync('nsenter', [...enter(reaches), 'bash', '-c', line], {
        input,
        env: settings,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      return { status: status ?? 1, output: `${stdout}${stderr}` };
    },
    async stop() {
      nspawn.kill('SIGTERM');
      const late = setTimeout(() => nspawn.kill('SIGKILL'), 60_000);
      await ended;
      clearTimeout(late);
    },
  };
  for (let tries = 0; ; tries += 1) {
    if (nspawn.exitCode !== null || tries > 300) throw new Error(`Debian did not start: ${join(folder, 'boot.log')}`);
    await sleep(200);
    if (leaderOf(nspawn) === '') continue;
    const { output } = booted.run('systemctl is-system-running', { reaches: false });
    if (/^(running|degraded)/.test(output)) return booted;
  }
}

/** Returns the host's process id of the container's init process. */
const leaderOf = ({ pid }: ChildProcess): string => {
  const children = spawnSync('pgrep', ['--parent', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n');
  return children.at(-1) ?? '';
};
