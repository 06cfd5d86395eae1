import { type Field, type Form, readPage } from './pages.ts';
import { patternOf, type Route, type Table } from './routes.ts';
import type { Sent } from './sent.ts';
import type { Known } from './values.ts';
import type { Viewer } from './viewers.ts';

/** Of files, in a text that a call answers with. */
const addresses = /\/(?:media|documents)\/[\w/.?=%-]+/g;

const isFile = /^\/(media|documents)\//;

/** Of each kind, the newest so many are kept. */
const kept = 12;

/** What a request has brought. */
export interface Seen {
  status: number;
  body: string;
  /** Whether it is one, and no JSON or file. */
  isPage: boolean;
  /** Whether it showed or changed what is not everybody's. */
  precious: boolean;
}

/** What a sequence has seen and tried so far: answers' links, forms and addresses are what later requests are made of. */
export class Memory {
  readonly table: Table;
  readonly known: Known;
  last: Sent | null = null;
  readonly #tries = new Map<string, number>();
  readonly #forms = new Map<string, Map<string, { viewer: Viewer; form: Form }>>();
  readonly #links = new Map<string, Map<string, { viewer: Viewer; url: string }>>();
  readonly #successes = new Map<string, Map<string, Sent>>();
  readonly #precious = new Map<string, Map<string, Sent>>();
  readonly #addresses = new Map<string, Set<string>>();
  readonly #queries = new Map<string, Set<string>>();
  forms: { viewer: Viewer; form: Form }[] = [];
  links: { viewer: Viewer; url: string }[] = [];
  /** All of them that lead to a picture or a document. */
  files: { viewer: Viewer; url: string }[] = [];
  successes: Sent[] = [];
  /** Those of them that showed or changed what is not everybody's. */
  precious: Sent[] = [];
  /** Those of them that brought a picture or a document. */
  preciousFiles: Sent[] = [];

  constructor(table: Table, known: Known) {
    this.table = table;
    this.known = known;
  }

  /** The candidate that has been chosen the fewest times, which now counts one more. */
  leastTried<Candidate>(candidates: readonly Candidate[], keyOf: (candidate: Candidate) => string): Candidate {
    const tried = candidates.map((candidate) => ({ candidate, key: keyOf(candidate), tries: this.#tries.get(keyOf(candidate)) ?? 0 }));
    const best = tried.reduce((least, one) => (one.tries < least.tries ? one : least));
    this.#tries.set(best.key, best.tries + 1);
    return best.candidate;
  }

  #count(key: string, more: number): void {
    this.#tries.set(key, (this.#tries.get(key) ?? 0) + more);
  }

  /** The route that answers it, or its path where none does. */
  routeOf({ method, url }: Pick<Sent, 'method' | 'url'>): string {
    const path = url.replace(/\?.*/s, '');
    return this.table.find(method, path)?.key ?? `${method} ${path}`;
  }

  seenAddresses({ key }: Route): string[] {
    return [...(this.#addresses.get(key) ?? [])];
  }

  queryNames({ key }: Route): string[] {
    return [...(this.#queries.get(key) ?? [])];
  }

  /** What this request has brought: a success that others may try to repeat, and whatever its page offers. */
  note(sent: Sent, viewer: Viewer, { status, body, isPage, precious }: Seen): void {
    this.last = sent;
    // A password costs more than all else that is asked for.
    if (sent.body?.includes('assword')) this.#count(`route ${this.routeOf(sent)}`, 12);
    if (status < 400) {
      // What nobody has reached yet is tried more often.
      this.#count(`route ${this.routeOf(sent)}`, 3);
      const key = `${sent.viewer} ${this.routeOf(sent)}`;
      if (keep(this.#successes, key, sent, sent.url)) this.successes = this.#oneOfEach(this.#successes);
      if (precious && keep(this.#precious, key, sent, sent.url)) {
        this.precious = [...this.#precious.values()].flatMap((kind) => [...kind.values()]);
        this.preciousFiles = this.precious.filter(({ url }) => isFile.test(url));
      }
      if (!isPage) this.#noteAddress(sent.method, sent.url);
    }
    if (isPage) this.#read(readPage(body, sent.url), viewer);
    else this.#read({ forms: [], links: [...new Set(body.match(addresses))] }, viewer);
  }

  #read({ forms, links }: ReturnType<typeof readPage>, viewer: Viewer): void {
    for (const form of forms) {
      this.#noteAddress(form.method, form.action);
      if (form.method === 'GET') this.#noteQuery(form.action, form.fields);
      keep(
        this.#forms,
        `${viewer.name} ${this.routeOf({ method: form.method, url: form.action })}`,
        { viewer, form },
        JSON.stringify(form),
      );
    }
    for (const url of links) {
      this.#noteAddress('GET', url);
      keep(this.#links, `${viewer.name} ${this.routeOf({ method: 'GET', url })}`, { viewer, url }, url);
    }
    this.forms = this.#oneOfEach(this.#forms);
    this.links = this.#oneOfEach(this.#links);
    this.files = [...this.#links.values()].flatMap((kind) => [...kind.values()].filter(({ url }) => isFile.test(url)));
  }

  #turn = 0;

  /** Another one of each kind every time, so that what many pages show is not drawn more often than what one page shows. */
  #oneOfEach<Value>(map: Map<string, Map<string, Value>>): Value[] {
    this.#turn += 1;
    return [...map.values()].map((kind) => [...kind.values()][this.#turn % kind.size] as Value);
  }

  readonly #readPaths = new Set<string>();

  /** What stands in an address stands in those of the same family too: of an entry's page and of its forms, of a call's GET and of its DELETE. */
  #noteAddress(method: string, url: string): void {
    const path = url.replace(/\?.*/s, '');
    if (this.#readPaths.has(path)) return;
    this.#readPaths.add(path);
    const route = this.table.find(method, path);
    if (!route || route.params.length === 0) return;
    const [, ...groups] = route.urls.map((one) => patternOf(one).exec(path)).find((match) => match) ?? [];
    for (const other of this.table.routes) {
      if (other.params.length !== route.params.length || beginning(other) !== beginning(route)) continue;
      const values = [...groups];
      const known = this.#addresses.get(other.key) ?? new Set();
      this.#addresses.set(other.key, known.add((other.urls.at(-1) ?? '').replaceAll(/:\w+|\*/g, () => values.shift() ?? '1')));
      if (known.size > kept) known.delete([...known][0] as string);
    }
  }

  #noteQuery(action: string, fields: readonly Field[]): void {
    const key = this.routeOf({ method: 'GET', url: action });
    const known = this.#queries.get(key) ?? new Set();
    for (const { name } of fields) known.add(name);
    this.#queries.set(key, known);
  }
}

const beginning = ({ urls }: Route): string => (urls.at(-1) ?? '').split(/:\w+/)[0] ?? '';

/** @returns whether it is new */
function keep<Value>(map: Map<string, Map<string, Value>>, kind: string, value: Value, text: string): boolean {
  const known = map.get(kind) ?? new Map<string, Value>();
  map.set(kind, known);
  if (known.has(text)) return false;
  known.set(text, value);
  if (known.size > kept) known.delete([...known.keys()][0] as string);
  return true;
}
