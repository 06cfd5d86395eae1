import type { Client } from '../sql.ts';
import type { Dice } from './dice.ts';
import { type Kind, type Name, type Person, sha256 } from './people.ts';

/** The accounts that a request acts for, according to the database. */
export interface Identity {
  ids: ReadonlySet<string>;
  kinds: ReadonlySet<Kind>;
}

const nobody: Identity = { ids: new Set(), kinds: new Set() };

/** A person with a browser. */
export interface Viewer {
  name: string;
  /** The guard that admits this viewer. */
  guard: 'learner' | 'administrator' | null;
  /** Headers of the browser; some viewers draw them for each request. */
  headers(dice: Dice): Record<string, string>;
  /** Null when the account depends on the browser's current cookies. */
  identity: Identity | null;
}

const identityOf = (...people: Person[]): Identity => ({
  ids: new Set(people.map(({ id }) => id)),
  kinds: new Set(people.map(({ kind }) => kind)),
});

/** @param ended an expired learner session, as a Cookie header */
export function everybody(people: Record<Name, Person>, ended: string, newcomer: Newcomer): Viewer[] {
  const person = (name: Name): Viewer => ({
    name,
    guard: people[name].kind === 'learner' ? 'learner' : 'administrator',
    identity: identityOf(people[name]),
    headers: (dice): Record<string, string> =>
      dice.chance(15) ? { authorization: `Bearer ${people[name].token}` } : { cookie: people[name].cookie },
  });
  const { amina, bruno, ines, odile } = people;
  const swapped = (from: Person, to: Person) => `${to.cookie.split('=')[0]}=${from.token}`;
  const forgeries: Record<string, string>[] = [
    { cookie: ended },
    { cookie: swapped(amina, ines) },
    { cookie: swapped(odile, amina) },
    { cookie: `${amina.cookie.split('=')[0]}=${sha256(amina.token)}` },
    { cookie: `${amina.cookie}x; ${odile.cookie.slice(0, -1)}` },
    { cookie: `${odile.cookie.split('=')[0]}=${'f'.repeat(40)}` },
    { authorization: `Bearer ${sha256(odile.token)}` },
    { authorization: `bearer ${odile.token.toUpperCase()}` },
    { authorization: `Basic ${Buffer.from(`${odile.email}:${odile.token}`).toString('base64')}` },
  ];
  return [
    { name: 'visitor', guard: null, identity: nobody, headers: () => ({}) },
    person('amina'),
    person('bruno'),
    person('chantal'),
    person('ines'),
    person('serge'),
    { name: 'both', guard: null, identity: identityOf(bruno, ines), headers: () => ({ cookie: `${bruno.cookie}; ${ines.cookie}` }) },
    { name: 'forger', guard: null, identity: nobody, headers: (dice) => dice.one(forgeries) },
    { name: 'newcomer', guard: null, identity: null, headers: () => newcomer.headers() },
  ];
}

/** A browser that stores cookies: it begins as a visitor and becomes the account that it registers or signs in as. */
export class Newcomer {
  readonly #jar = new Map<string, string>();

  headers(): Record<string, string> {
    return this.#jar.size > 0 ? { cookie: [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ') } : {};
  }

  take(cookies: string[]): void {
    for (const cookie of cookies) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      if (name && value) this.#jar.set(name, value);
      else if (name) this.#jar.delete(name);
    }
  }

  async identity(client: Client): Promise<Identity> {
    const ids = [...this.#jar.values()].map(sha256);
    if (ids.length === 0) return nobody;
    const { rows } = await client.query<{ id: string; kind: Kind }>(
      `select user_id::text as id, 'learner' as kind from session where id = any($1)
       union all select a.id::text, case a.role when 'admin' then 'admin' else 'superAdmin' end
       from administrator_session s join administrator a on a.id = s.administrator_id where s.id = any($1)`,
      [ids],
    );
    return { ids: new Set(rows.map(({ id }) => id)), kinds: new Set(rows.map(({ kind }) => kind)) };
  }
}
