import { spawn } from 'node:child_process';

/** Pauses backends of a PostgreSQL server on this machine. */
export interface Hold {
  /** Pauses a backend that waits for a lock. At other times it could hold one of PostgreSQL's internal locks and block all backends. */
  stop(pid: number): void;
  goOn(pid: number): void;
  close(): void;
}

/**
 * Pauses backends with SIGSTOP. PostgreSQL cannot shut down while a backend is stopped. A separate shell therefore resumes all backends
 * when this process ends, even after SIGKILL.
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
