import { randomBytes } from 'node:crypto';
import { type AppConfig, loadConfig } from '../../src/config.ts';
import { createVapidKeys } from '../../src/modules/revision/index.ts';
import { roleOf } from '../../src/platform/database/roles.ts';
import { ConfigError } from '../../src/platform/settings/config.ts';
import type { SettingsFile } from './settings-file.ts';

type Settings = Readonly<Record<string, string>>;

/** Returns the settings as production reads them, or all their faults. Uses the owner's address until the server's role has one. */
export function readSettings(settings: Settings): AppConfig | ConfigError {
  const { MIGRATIONS_DATABASE_URL: owner, DATABASE_URL: web = owner } = settings;
  try {
    return loadConfig({ ...settings, DATABASE_URL: web }, 'commands');
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

export function faultsOf(settings: Settings): string[] {
  const read = readSettings(settings);
  return read instanceof ConfigError ? read.faults : [];
}

/** Returns the names of the server's and the commands' roles, derived from the owner's name (docs/database-roles.md). */
export function derivedRoles({ MIGRATIONS_DATABASE_URL: owner = '' }: Settings): string[] {
  const base = (roleOf(owner) ?? 'prepa').replace(/_?owner$/, '') || 'prepa';
  return [`${base}_web`, `${base}_commands`];
}

/** Adds settings that need no question: roles with random passwords, keys, the backup folder. Given settings are kept. */
export function withDrawn(settings: Settings): { settings: Record<string, string>; drawnRoles: string[] } {
  const { MIGRATIONS_DATABASE_URL: owner = '' } = settings;
  const [web = '', commands = ''] = derivedRoles(settings);
  const drawn: Record<string, string> = {
    DATABASE_URL: addressAs(owner, web),
    COMMANDS_DATABASE_URL: addressAs(owner, commands),
    ADMIN_SECRETS_KEY: randomBytes(33).toString('base64'),
    ...pushKeys(settings),
    METRICS_TOKEN: randomBytes(24).toString('hex'),
    // The folder that the systemd units create (deploy/systemd).
    BACKUP_DIR: '/var/lib/prepa-backups',
  };
  const roleOfSetting: Record<string, string> = { DATABASE_URL: web, COMMANDS_DATABASE_URL: commands };
  return {
    settings: { ...drawn, ...settings },
    drawnRoles: Object.keys(roleOfSetting).flatMap((name) => (settings[name] ? [] : [roleOfSetting[name] ?? ''])),
  };
}

/** Returns new keys for push messages, unless one of them is given. */
function pushKeys({ PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY, PUSH_PRIVATE_KEY_FILE }: Settings): Record<string, string> {
  if (PUSH_PUBLIC_KEY || PUSH_PRIVATE_KEY || PUSH_PRIVATE_KEY_FILE) return {};
  const { publicKey, privateKey } = createVapidKeys();
  return { PUSH_PUBLIC_KEY: publicKey, PUSH_PRIVATE_KEY: privateKey };
}

function addressAs(owner: string, role: string): string {
  const url = new URL(owner);
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  const password = randomBytes(24).toString('hex');
  // A URL without a host cannot hold a user: a socket's address has it in the parameters.
  if (url.hostname === '') {
    url.searchParams.set('user', role);
    url.searchParams.set('password', password);
    return url.href;
  }
  url.username = role;
  url.password = password;
  return url.href;
}

const forCommands = ['COMMANDS_DATABASE_URL'];
const forOwner = ['MIGRATIONS_DATABASE_URL'];

/** Secrets given as `NAME_FILE`, by NAME. */
export type SecretFiles = Readonly<Record<string, { path: string; value: string }>>;

/**
 * Returns three files: the server's settings, the role of the timers' commands, and the owner's address for releases.
 * @param secretFiles a secret equal to the one in its file is written as NAME_FILE
 */
export function filesOf(settings: Settings, secretFiles: SecretFiles = {}): SettingsFile[] {
  const line = (name: string, value: string): [string, string] => {
    const file = secretFiles[name];
    return file?.value === value ? [`${name}_FILE`, file.path] : [name, value];
  };
  const part = (holds: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value && holds(name) ? [line(name, value)] : [])));
  return [
    {
      name: 'prepa.env',
      mode: 0o640,
      about: 'Réglages du site, écrits par « prepa setup » ; .env.example dit ce que chacun veut dire.',
      settings: part((name) => !forCommands.includes(name) && !forOwner.includes(name)),
    },
    {
      name: 'commands.env',
      mode: 0o600,
      about: 'Pour les commandes et leurs minuteries, pas pour le serveur.',
      settings: part((name) => forCommands.includes(name)),
    },
    {
      name: 'owner.env',
      mode: 0o600,
      about: 'Le propriétaire des tables : migrations, rôles, restaurations.',
      settings: part((name) => forOwner.includes(name)),
    },
  ];
}
