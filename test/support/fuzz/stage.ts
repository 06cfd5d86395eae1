import { once } from 'node:events';
import { type Client, connected } from '../sql.ts';
import { type Answer, answerTimeoutMs, faultsOf } from './answers.ts';
import { Books } from './books.ts';
import { readable } from './content-access.ts';
import type { Mark } from './marks.ts';
import { password } from './people.ts';
import { routesOf, type Table } from './routes.ts';
import { scoped } from './scope.ts';
import type { Sent } from './sent.ts';
import { copyOf, type Planted, providerOrigin } from './site-copy.ts';
import { everybody, type Identity, Newcomer, type Viewer } from './viewers.ts';

/** Number of requests between two checks of the rules, after which accounts and sessions are restored. */
const roundLength = 40;

export interface Finding {
  /** Description of the fault: identical for the same fault in every run, without variable details. */
  what: string;
  /** The request that showed the fault. For a broken database rule, the last request before the check. */
  sent: Sent;
  /** Index of the request in its sequence. */
  index: number;
}

/** A copy of the site that is reached through `ask`, with the data to check its responses. */
export class Stage {
  readonly table: Table;
  readonly viewers: Viewer[];
  readonly #planted: Planted;
  readonly #client: Client;
  readonly #books: Books;
  readonly #newcomer = new Newcomer();
  readonly #ask: (sent: Sent) => Promise<Answer>;
  /** Whether a reader may read a mark, cached since the last change. */
  readonly #readable = new Map<string, boolean>();
  /** Marks in catalogue content that visitors could read in the planted site. */
  #everybodys: Set<string> | undefined;
  #played = 0;

  constructor(planted: Planted, table: Table, client: Client, ask: (sent: Sent) => Promise<Answer>) {
    this.#planted = planted;
    this.table = table;
    this.#client = client;
    this.#books = new Books(client, Object.values(planted.people));
    this.#ask = ask;
    this.viewers = everybody(planted.people, planted.ended, this.#newcomer);
  }

  /** Sends a request; returns the faults of its response and of its changes to the database. */
  async play(sent: Sent): Promise<{ answer: Answer; precious: boolean; findings: Finding[] }> {
    const viewer = this.viewers.find(({ name }) => name === sent.viewer);
    const request =
      sent.viewer === 'newcomer' ? { ...sent, headers: { ...withoutSession(sent.headers), ...this.#newcomer.headers() } } : sent;
    const identity = this.#withPassword(viewer?.identity ?? (await this.#newcomer.identity(this.#client)), sent);
    const answer = await this.#ask(request);
    if (sent.viewer === 'newcomer') this.#newcomer.take([answer.headers['set-cookie'] ?? []].flat().map(String));

    const wrong = faultsOf(answer, request, this.table, [providerOrigin]);
    const changes = await this.#books.changes();
    if (changes.length > 0) this.#readable.clear();
    for (const change of changes) {
      const objection = this.#books.objection(change, identity);
      if (objection) wrong.push(`changes what is not theirs: ${objection}`);
    }
    const marks = this.#marksOf(answer, request);
    wrong.push(...(await this.#forbidden(marks, identity)).map(({ about }) => `shows ${about}`));
    const precious = changes.length > 0 || (await this.#isForSome(marks));
    this.#played += 1;
    if (this.#played % roundLength === 0) wrong.push(...(await this.checkRules()));
    return { answer, precious, findings: wrong.map((what) => ({ what, sent: request, index: this.#played - 1 })) };
  }

  /** Returns the identity, extended by each person whose e-mail address and password are in the request's body. */
  #withPassword(identity: Identity, { body = '' }: Sent): Identity {
    // Compares the local part of the address, and the password without '!', because no content type encodes them.
    const people = Object.values(this.#planted.people).filter(({ email }) => body.includes(email.split('@')[0] ?? email));
    if (people.length === 0 || !body.includes(password.replace('!', ''))) return identity;
    return {
      ids: new Set([...identity.ids, ...people.map(({ id }) => id)]),
      kinds: new Set([...identity.kinds, ...people.map(({ kind }) => kind)]),
    };
  }

  /** Checks the database rules, then restores accounts and sessions. */
  async checkRules(): Promise<string[]> {
    const broken = await this.#books.brokenRules();
    await this.#books.restore();
    this.#readable.clear();
    return broken;
  }

  /** Returns the marks in the response that were not in the request. */
  #marksOf({ body, headers }: Answer, sent: Sent): Mark[] {
    // These URLs are public until they expire, even if the item changes meanwhile.
    if (sent.url.startsWith('/media/libre/')) return [];
    const { marks } = this.#planted;
    const { 'set-cookie': cookies = '', ...others } = headers;
    const said = new Set(marks.in(`${sent.url} ${sent.body ?? ''}`));
    const brought = new Set(marks.in(sent.headers.cookie ?? ''));
    // A renewed session cookie contains the token that the browser sent.
    const renewed = marks.in(String(cookies)).filter((mark) => !brought.has(mark));
    return [...marks.in(`${body} ${Object.values(others).join(' ')}`).filter((mark) => !said.has(mark)), ...renewed];
  }

  async #forbidden(marks: readonly Mark[], identity: Identity): Promise<Mark[]> {
    const taught = marks.filter(({ audience }) => audience === 'content').map(({ text }) => text);
    const isStaff = identity.kinds.has('admin') || identity.kinds.has('superAdmin');
    const open = isStaff ? new Set(taught) : await this.#readableBy(identity, taught);
    const forbidden = marks.filter((mark) => (mark.audience === 'content' ? !open.has(mark.text) : !isFor(mark, identity)));
    return forbidden.length > 0 ? this.#withoutOwn(forbidden, identity) : [];
  }

  /** Removes marks in the account's own name or address: a learner may have chosen those of an administrator, and vice versa. */
  async #withoutOwn(marks: readonly Mark[], { ids }: Identity): Promise<Mark[]> {
    const { rows } = await this.#client.query<{ own: string }>(
      `select concat_ws(' ', username, email) as own from app_user where id::text = any($1)
       union all select concat_ws(' ', username, email) from administrator where id::text = any($1)`,
      [[...ids]],
    );
    return marks.filter(({ text }) => !rows.some(({ own }) => own.toLowerCase().includes(text)));
  }

  /** Returns whether visitors of the planted site could not see at least one of these marks. */
  async #isForSome(marks: readonly Mark[]): Promise<boolean> {
    const taught = marks.filter(({ audience }) => audience === 'content').map(({ text }) => text);
    if (taught.length < marks.length) return true;
    this.#everybodys ??= await readable(this.#client, this.#planted.marks.taught(), []);
    return taught.some((text) => !this.#everybodys?.has(text));
  }

  async #readableBy({ ids }: Identity, marks: string[]): Promise<Set<string>> {
    const reader = [...ids].sort().join();
    const unknown = marks.filter((mark) => !this.#readable.has(`${reader} ${mark}`));
    if (unknown.length > 0) {
      const open = await readable(this.#client, unknown, [...ids]);
      for (const mark of unknown) this.#readable.set(`${reader} ${mark}`, open.has(mark));
    }
    return new Set(marks.filter((mark) => this.#readable.get(`${reader} ${mark}`)));
  }
}

function isFor({ audience }: Mark, { ids, kinds }: Identity): boolean {
  if (typeof audience === 'string') return false;
  if (audience.owner !== undefined && ids.has(audience.owner)) return true;
  if (audience.staff === undefined) return false;
  return kinds.has('superAdmin') || (audience.staff === 'admin' && kinds.has('admin'));
}

function withoutSession({ cookie: _cookie, authorization: _authorization, ...headers }: Record<string, string>): Record<string, string> {
  return headers;
}

/** Opens a copy of the planted site for `work`, and closes it afterwards. */
export type OpenStage = <Result>(planted: Planted, work: (stage: Stage) => Promise<Result>) => Promise<Result>;

/** Route tables by planted site. Reading the routes needs an application of its own; all copies of a site have the same routes. */
const tables = new WeakMap<Planted, Table>();

export async function tableOf(planted: Planted): Promise<Table> {
  const known = tables.get(planted);
  if (known) return known;
  const table = await scoped(async (t) => {
    const { app } = await copyOf(t, planted);
    await app.ready();
    return routesOf(app);
  });
  tables.set(planted, table);
  return table;
}

/** Sends requests to an application in this process, without sockets. */
export const inThisProcess: OpenStage = async (planted, work) => {
  const table = await tableOf(planted);
  return scoped(async (t) => {
    const { app, databaseUrl } = await copyOf(t, planted);
    const ask = async ({ method, url, headers, body }: Sent): Promise<Answer> => {
      const began = performance.now();
      const late = AbortSignal.timeout(answerTimeoutMs);
      const answer = await Promise.race([
        app.inject({ method: method as 'GET', url, headers, ...(body !== undefined && { payload: bytesOf(headers, body) }) }),
        once(late, 'abort').then(() => null),
      ]);
      const ms = performance.now() - began;
      return answer
        ? { status: answer.statusCode, headers: answer.headers, body: answer.body, ms }
        : { status: 0, headers: {}, body: '', ms };
    };
    return connected(databaseUrl, (client) => work(new Stage(planted, table, client, ask)));
  });
};

/** A multipart body has one character per byte; other bodies are text. */
export const bytesOf = (headers: Record<string, string>, body: string): Buffer =>
  Buffer.from(body, headers['content-type']?.startsWith('multipart/') ? 'latin1' : 'utf8');
