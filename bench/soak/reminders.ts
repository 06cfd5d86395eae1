/**
 * Runs `enrolments expire` once a day for 60 days with 10,000 enrolments; at random two runs at once, runs stopped between two
 * transactions, and processes that are killed. Each learner must get each reminder once, and no paid lesson may be readable after the end.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { createTestApp } from '../../test/support/app.ts';
import { bareEnvironment } from '../../test/support/process.ts';
import { simulateReminders } from '../../test/support/reminders.ts';

/** Longest time until a command is killed, in ms: enough to start and write one batch or all of them. */
const maxLifeMs = 1_500;

/** @returns whether no fault was found */
export async function soakReminders(t: Test, seed: number): Promise<boolean> {
  const home = await createTestApp(t);
  const killedCommand = async (random: number): Promise<void> => {
    const args = [join(projectRoot, 'dist/cli/main.js'), 'enrolments', 'expire', '--at', home.clock.now().toISOString()];
    const env = { ...bareEnvironment(), NODE_ENV: 'test', DATABASE_URL: home.databaseUrl };
    const command = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const ended = new Promise((resolve) => command.on('close', resolve));
    await Promise.race([ended, pause(random * maxLifeMs)]);
    command.kill('SIGKILL');
    await ended;
  };
  const { reminders, reads, runs, ...wrong } = await simulateReminders(home, { learners: 10_000, days: 60, seed, size: 50, killedCommand });
  console.log(`${reminders} reminders, ${reads} reads, runs: ${JSON.stringify(runs)}`);
  const { missing, unexpected, twice, wrongReads } = wrong;
  console.log(`missing ${missing.length}, unexpected ${unexpected.length}, twice ${twice}, wrong reads ${wrongReads.length}`);
  for (const fault of [...missing, ...unexpected, ...wrongReads].slice(0, 10)) console.log(`  ${fault}`);
  return reminders > 0 && missing.length + unexpected.length + twice + wrongReads.length === 0;
}
