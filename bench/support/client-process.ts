/**
 * Runs load clients in their own processes. The process that prepares the site has a large heap, whose garbage collection pauses timers for
 * up to 200 ms with threads on all cores.
 */
import { fork } from 'node:child_process';

export interface ClientProcess<Plan extends object, Result> {
  /** Runs one plan at a time. @throws Error when the process ends without a result */
  run(plan: Plan): Promise<Result>;
  stop(): void;
}

/** @param script URL of a script that replies to each message (a plan) with one message (the result) */
export function startClient<Plan extends object, Result>(script: URL): ClientProcess<Plan, Result> {
  const child = fork(script, { serialization: 'advanced' });
  return {
    run: (plan) =>
      new Promise<Result>((resolve, reject) => {
        const fail = () => reject(new Error(`${script.pathname} ended without a result`));
        child.once('exit', fail);
        child.once('message', (result) => {
          child.off('exit', fail);
          resolve(result as Result);
        });
        child.send(plan);
      }),
    stop: () => {
      child.kill();
    },
  };
}
