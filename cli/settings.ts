import { loadConfig } from '../src/config.ts';

/** Returns the settings, including those reserved for commands. @throws ConfigError with every fault at once */
export const loadCommandConfig = () => loadConfig(process.env, 'commands');
