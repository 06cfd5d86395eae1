/** The level that operators see more at. */
const fine = 'debug';

interface Levelled {
  level: string;
  info(fields: object, message: string): void;
}

/** Between the level of the settings and `debug`, at each call; the log itself says which. @returns the level from now on */
export function toggleLogLevel(log: Levelled, configured: string): string {
  const level = log.level === fine ? configured : fine;
  if (level === fine) log.level = level;
  // Not as `level`, which is the line's own.
  log.info({ logLevel: level }, 'the log has another level until SIGUSR2 comes again');
  log.level = level;
  return level;
}
