/** Clients in processes of their own: in the one that prepares a site, the garbage collector stops whatever is timed there for up to 200 ms, with threads on all cores. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

export interface ClientProcess<Plan extends object, Result> {
  /** One plan at a time. @throws Error when the process ends without a result */
  run(plan: Plan): Promise<Result>;
  stop(): void;
}

/** @param file in this folder; answers each message, a plan, with one, its result */
export function startClient<Plan extends object, Result>(file: string): ClientProcess<Plan, Result> {
  const child = fork(join(projectRoot, 'bench', file), { serialization: 'advanced' });
  return {
    run: (plan) =>
      new Promise<Result>((resolve, reject) => {
        const fail = () => reject(new Error(`${file} ended without a result`));
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
