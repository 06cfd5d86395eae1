import { createHash } from 'node:crypto';
import { hashPassword } from '../../../src/modules/identity/accounts/password.ts';
import type { TestApp } from '../app.ts';
import { createAdministrator, createLearner } from '../factories.ts';
import { sql } from '../sql.ts';
import type { Marks } from './marks.ts';

/** Everybody's: what is tried is not whether it can be guessed. */
export const password = 'Concours-2026!';

export type Kind = 'learner' | 'admin' | 'superAdmin';

/** Somebody with an account, whose session is open. */
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

/** Names of two who study, one who does not, one whose time is over, and those who administer. */
const kinds = {
  amina: 'learner',
  bruno: 'learner',
  chantal: 'learner',
  ines: 'admin',
  serge: 'superAdmin',
  // Nobody acts as this one: what happens to a super administrator who is not there.
  odile: 'superAdmin',
} as const satisfies Record<string, Kind>;
export type Name = keyof typeof kinds;

/** Each with a mark in the name, in the address and in the device; tokens, and what the database keeps of them, are marks as they are. */
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
