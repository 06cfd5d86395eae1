/** The server cannot listen at this address; the message is one French line that names the setting to change. */
export class ListenFailure extends Error {
  constructor(cause: unknown, host: string, port: number) {
    super(describe((cause as NodeJS.ErrnoException).code, host, port), { cause });
    this.name = 'ListenFailure';
  }
}

function describe(code: string | undefined, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Le port ${port} est déjà utilisé : choisissez-en un autre avec PORT.`;
  if (code === 'EACCES') return `Le port ${port} est réservé : choisissez-en un autre avec PORT.`;
  return `Impossible d'écouter sur ${host} (${code}) : changez HOST.`;
}
