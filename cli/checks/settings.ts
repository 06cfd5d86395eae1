import { ConfigError } from '../../src/platform/settings/config.ts';
import { loadCommandConfig } from '../settings.ts';
import { fault, good, type Line, lineOf } from './check.ts';

/** The settings, one line a fault: nothing else can be looked at with one. */
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
