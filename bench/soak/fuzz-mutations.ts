/**
 * `ONLY=fuzz-mutations make soak`: random requests must find each planted fault within REQUESTS requests. PLANTED=text runs the faults
 * whose description contains the text.
 */
import type { Test } from 'tap';
import { attack } from '../../test/support/fuzz/attack.ts';
import { plantedFaults } from '../../test/support/fuzz/planted.ts';
import { described } from '../../test/support/fuzz/shrink.ts';

/** @returns whether every planted fault was found */
export async function soakMutations(t: Test, requests: number, seed: number): Promise<boolean> {
  let missed = 0;
  for (const [planted, { what }] of plantedFaults.entries()) {
    if (!what.includes(process.env.PLANTED ?? '')) continue;
    const { foundAfter, findings } = await attack(t, { requests, seed, planted });
    const [finding] = findings;
    console.log(`${foundAfter === null ? `NOT FOUND within ${requests}` : `found after ${foundAfter}`}: ${what}`);
    if (finding) console.log(`  ${[finding.what, ...finding.requests.map(described)].join('\n  ')}`);
    if (foundAfter === null) missed += 1;
  }
  console.log(`planted faults that were not found: ${missed}`);
  return missed === 0;
}
