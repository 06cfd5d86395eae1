import type { Places } from './visits.ts';

/** Terminal commands to measure; all of them read. `leftOutCommands` lists the other commands with the reason. */
export const commands = ({ day, year, today, reference }: Places): string[][] => [
  ['db', 'status'],
  ['keys', 'list'],
  ['admins', 'list'],
  ['maintenance', 'status'],
  ['learners', 'export', 'candidat1@gmail.com'],
  ['enrolments', 'list'],
  ['enrolments', 'list', '--email', 'candidat1@gmail.com'],
  ['payments', 'list'],
  ['payments', 'list', '--status', 'review'],
  ['payments', 'find', reference],
  ['payments', 'find', '0012'],
  ['payments', 'show', reference],
  ['payments', 'totals', '--du', day, '--au', day],
  ['payments', 'totals', '--du', year, '--au', today],
];

export const leftOutCommands =
  'enrolments expire (as many rows as have ended: see Expiry), payments export (as many as it writes), payments totals --all (adds up all prepas), payments reconcile (asks providers, 500 at most), content publish (as many drafts as are due), ' +
  'seed, import and db migrate (write what is new), keys issue | revoke, admins disable | enable, accounts unlock, enrolments grant | withdraw, payments verify | review | close | refund | acknowledge (one row by its key), doctor (asks providers)';
