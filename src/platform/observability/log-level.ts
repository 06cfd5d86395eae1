/** Level that shows more to operators. */
const fine = 'debug';

interface Levelled {
  level: string;
  info(fields: object, message: string): void;
}

/** Switches between the configured level and `debug` at each call, and logs the new level. @returns the new level */
export function toggleLogLevel(log: Levelled, configured: string): string {
  const level = log.level === fine ? configured : fine;
  if (level === fine) log.level = level;
  // The field is not named `level`, because that is the line's own level.
  log.info({ logLevel: level }, 'the log has another level until SIGUSR2 comes again');
  log.level = level;
  return level;
}
