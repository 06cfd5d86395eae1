import { settingNames } from '../../src/config.ts';
import { readSecretFiles } from '../../src/platform/settings/secret-files.ts';
import { CliError } from '../failure.ts';
import type { SecretFiles } from './settings.ts';

type Settings = Readonly<Record<string, string>>;

/** What the image and whoever starts processes put into any environment: there it says nothing of the site that is being set up. */
export const ofTheProcess: readonly string[] = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'CONTAINER_IMAGE', 'SHUTDOWN_DRAIN_MS'];

/** Names that nobody reads: a mistake in typing would otherwise be written, and change nothing. */
export function unknownNames(given: Settings): string[] {
  const known = namesToGive();
  return Object.keys(given).filter((name) => !known.has(name));
}

/** The settings of the site that stand in the environment, which holds much else. */
export function fromEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const known = namesToGive();
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value && known.has(name) && !ofTheProcess.includes(name) ? [[name, value]] : [],
    ),
  );
}

/** Every setting, and those of the files that secrets may stand in. */
function namesToGive(): ReadonlySet<string> {
  const { all, secrets } = settingNames();
  return new Set([...all, ...secrets.map((name) => `${name}_FILE`)]);
}

/** What is left of settings beside stronger ones: of NAME and NAME_FILE only one may be set. */
export function besides(strong: Settings, weak: Settings): Record<string, string> {
  const said = new Set(Object.keys(strong).map(setBy));
  return Object.fromEntries(Object.entries(weak).filter(([name]) => !said.has(setBy(name))));
}

const setBy = (name: string): string => name.replace(/_FILE$/, '');

/**
 * Puts secrets in the place of the files that they stand in, so that they are checked like all others.
 * @throws CliError when one cannot be read
 */
export function withSecretsRead(given: Settings): { settings: Record<string, string>; secretFiles: SecretFiles } {
  const { secrets } = settingNames();
  // As everywhere, an empty name of a file counts as unset.
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
