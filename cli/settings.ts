import { loadConfig } from '../src/config.ts';

/** The settings with what only the commands may know. @throws ConfigError with every fault at once */
export const loadCommandConfig = () => loadConfig(process.env, 'commands');
