import { settingNames } from '../../src/config.ts';
import { readSecretFiles } from '../../src/platform/settings/secret-files.ts';
import { CliError } from '../failure.ts';
import type { SecretFiles } from './settings.ts';

type Settings = Readonly<Record<string, string>>;

/** Variables that the container image and service managers set in every environment: they are not settings of the new site. */
export const ofTheProcess: readonly string[] = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'CONTAINER_IMAGE', 'SHUTDOWN_DRAIN_MS'];

/** Returns the names that are no settings. A misspelt name would otherwise be written and have no effect. */
export function unknownNames(given: Settings): string[] {
  const known = namesToGive();
  return Object.keys(given).filter((name) => !known.has(name));
}

/** Returns the site's settings found in the environment. */
export function fromEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const known = namesToGive();
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value && known.has(name) && !ofTheProcess.includes(name) ? [[name, value]] : [],
    ),
  );
}

/** Returns the names of all settings, and `NAME_FILE` for secrets. */
function namesToGive(): ReadonlySet<string> {
  const { all, secrets } = settingNames();
  return new Set([...all, ...secrets.map((name) => `${name}_FILE`)]);
}

/** Returns the settings of `weak` that `strong` does not have. NAME and NAME_FILE count as the same setting. */
export function besides(strong: Settings, weak: Settings): Record<string, string> {
  const said = new Set(Object.keys(strong).map(setBy));
  return Object.fromEntries(Object.entries(weak).filter(([name]) => !said.has(setBy(name))));
}

const setBy = (name: string): string => name.replace(/_FILE$/, '');

/**
 * Replaces `NAME_FILE` by the secret read from that file, so that the secret is checked like any other setting.
 * @throws CliError when a file cannot be read
 */
export function withSecretsRead(given: Settings): { settings: Record<string, string>; secretFiles: SecretFiles } {
  const { secrets } = settingNames();
  // An empty NAME_FILE counts as unset, as in the server's settings.
  const named = Object.fromEntries(Object.entries(given).filter(([name, value]) => value || !name.endsWith('_FILE')));
  const { variables, faults } = readSecretFiles(named, secrets);
  if (Object.keys(faults).length > 0)
    throw new CliError(["Rien n'a été écrit :", ...Object.values(faults).map((fault) => `  ${fault}`)].join('\n'));
  const settings = Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const files = secrets.flatMap((name) => {
    const [path, value] = [named[`${name}_FILE`], settings[name]];
    return path === undefined || value === undefined ? [] : [[name, { path, value }] as const];
  });
  return { settings, secretFiles: Object.fromEntries(files) };
}
