import { createHash } from 'node:crypto';
import { hashPassword } from '../../../src/modules/identity/accounts/password.ts';
import type { TestApp } from '../app.ts';
import { createAdministrator, createLearner } from '../factories.ts';
import { sql } from '../sql.ts';
import type { Marks } from './marks.ts';

/** The password of all accounts; guessing passwords is not tested here. */
export const password = 'Concours-2026!';

export type Kind = 'learner' | 'admin' | 'superAdmin';

/** An account with an open session. */
export interface Person {
  name: string;
  kind: Kind;
  id: string;
  username: string;
  email: string;
  /** A Cookie header. */
  cookie: string;
  token: string;
}

export type Home = Pick<TestApp, 'kernel' | 'clock' | 'databaseUrl'>;

/** Two learners who study, one who does not, one whose enrolment has ended, and administrators. */
const kinds = {
  amina: 'learner',
  bruno: 'learner',
  chantal: 'learner',
  ines: 'admin',
  serge: 'superAdmin',
  // Nobody sends requests as this account: it shows changes to an absent super administrator.
  odile: 'superAdmin',
} as const satisfies Record<string, Kind>;
export type Name = keyof typeof kinds;

/** Creates the accounts, each with marks in name, address and device. Tokens and their hashes in the database are marks themselves. */
export async function plantPeople(home: Home, marks: Marks): Promise<Record<Name, Person>> {
  const hash = await hashPassword(password);
  const people: Partial<Record<Name, Person>> = {};
  for (const [name, kind] of Object.entries(kinds) as [Name, Kind][]) people[name] = await plantPerson(home, marks, { name, kind, hash });
  return people as Record<Name, Person>;
}

async function plantPerson(home: Home, marks: Marks, { name, kind, hash }: { name: Name; kind: Kind; hash: string }): Promise<Person> {
  const learner = kind === 'learner';
  const made = learner ? await createLearner(home) : await createAdministrator(home, kind === 'admin' ? 'admin' : 'super_admin');
  const { id, token, session: cookie } = made;
  const username = `${name}_${marks.make(`the username of ${name}`, { owner: id, staff: 'admin' })}`;
  const email = `${name}.${marks.make(`the e-mail of ${name}`, { owner: id, staff: 'superAdmin' })}@gmail.com`;
  const table = learner ? 'app_user' : 'administrator';
  await sql(home.databaseUrl, `update ${table} set username = $2, email = $3, password_hash = $4 where id = $1`, [
    id,
    username,
    email,
    hash,
  ]);
  marks.add(token, `the session token of ${name}`, 'nobody');
  marks.add(sha256(token), `the session of ${name}`, { owner: id });
  if (learner)
    await sql(home.databaseUrl, 'update session set device = $2 where id = $1', [
      sha256(token),
      `Firefox ${marks.make(`the device of ${name}`, { owner: id, staff: 'superAdmin' })}`,
    ]);
  return { name, kind, id, username, email, cookie, token };
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
