import { spawn } from 'node:child_process';

/** Pauses backends of a PostgreSQL server on this machine. */
export interface Hold {
  /** Pauses a backend. The backend must wait for a lock: it then blocks other backends only by the locks that it holds. */
  stop(pid: number): void;
  goOn(pid: number): void;
  close(): void;
}

/**
 * Pauses backends with SIGSTOP. A stopped backend would prevent its server from ever ending, so a separate shell resumes all of them when
 * this process ends, by whatever signal.
 */
export function holdBackends(pids: readonly number[]): Hold {
  const afterwards = 'while read -r _; do :; done; kill -s CONT "$@" 2>/dev/null';
  const shell = spawn('/bin/sh', ['-c', afterwards, 'sh', ...pids.map(String)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  return {
    stop: (pid) => void process.kill(pid, 'SIGSTOP'),
    goOn: (pid) => void process.kill(pid, 'SIGCONT'),
    close: () => shell.stdin.end(),
  };
}
