import { settingNames } from '../../src/config.ts';

type Settings = Readonly<Record<string, string>>;

/** Names that nobody reads: a mistake in typing would otherwise be written, and change nothing. */
export function unknownNames(given: Settings): string[] {
  const known = namesToGive();
  return Object.keys(given).filter((name) => !known.has(name));
}

/** Every setting, and those of the files that secrets may stand in. */
function namesToGive(): ReadonlySet<string> {
  const { all, secrets } = settingNames();
  return new Set([...all, ...secrets.map((name) => `${name}_FILE`)]);
}
