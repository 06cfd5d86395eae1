import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { projectRoot } from '../../../src/platform/settings/project-root.ts';
import type { Outcome } from './campaign.ts';
import type { WorkerTask } from './worker.ts';

/** Sends random requests to an application in a separate process, with the planted fault of this number. */
export async function attack(t: Test, task: WorkerTask): Promise<Outcome> {
  const args = ['--import=./test/support/tsx-hook.mjs', 'test/support/fuzz/worker.ts', JSON.stringify(task)];
  const worker = spawn(process.execPath, args, {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'test' },
  });
  t.teardown(() => worker.kill());
  return JSON.parse(await text(worker.stdout)) as Outcome;
}
