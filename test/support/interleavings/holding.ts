import { spawn } from 'node:child_process';

/** Holds backends of a server on this machine where they stand. */
export interface Hold {
  /** This one does nothing from now on, whatever it is given. Only for one that waits for a lock: it stands in nobody's way but by its locks. */
  stop(pid: number): void;
  goOn(pid: number): void;
  close(): void;
}

/**
 * By signals to their processes. A stopped one would keep its server from ending for ever, so a shell of its own lets all of them go on when this process is gone,
 * by whatever signal.
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
