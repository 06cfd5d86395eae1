import { ConfigError } from '../../../src/platform/settings/config.ts';
import { loadCommandConfig } from '../../settings.ts';
import { fault, good, type Line, lineOf } from '../check.ts';

/** Returns one line per fault in the settings. With a fault, no other check can run. */
export function settingsLines(): Line[] {
  const name = 'Réglages';
  try {
    loadCommandConfig();
    return [lineOf(name, good('lus sans faute'))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((detail) => lineOf(name, fault(detail)));
  }
}
