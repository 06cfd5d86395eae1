#!/usr/bin/env node
import { reportFailure } from './failure.ts';
import { buildProgram } from './program.ts';

// Exit codes: 0 success, 1 refused or failed, 2 wrong usage.
try {
  await buildProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportFailure(error);
}
