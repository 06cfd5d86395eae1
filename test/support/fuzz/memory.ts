import { type Field, type Form, readPage } from './pages.ts';
import { patternOf, type Route, type Table } from './routes.ts';
import type { Sent } from './sent.ts';
import type { Known } from './values.ts';
import type { Viewer } from './viewers.ts';

/** URLs of files in a response's text. */
const addresses = /\/(?:media|documents)\/[\w/.?=%-]+/g;

const isFile = /^\/(media|documents)\//;

/** Number of entries kept of each kind; the oldest are removed. */
const kept = 12;

/** The result of a request. */
export interface Seen {
  status: number;
  body: string;
  /** Whether the response is an HTML page, not JSON or a file. */
  isPage: boolean;
  /** Whether the request showed or changed data that is not public. */
  precious: boolean;
}

/** Requests and responses of a sequence. Later requests are built from the links, forms and URLs of responses. */
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
  /** Links to pictures and documents. */
  files: { viewer: Viewer; url: string }[] = [];
  successes: Sent[] = [];
  /** Successful requests that showed or changed data that is not public. */
  precious: Sent[] = [];
  /** Of these, the requests that returned a picture or a document. */
  preciousFiles: Sent[] = [];

  constructor(table: Table, known: Known) {
    this.table = table;
    this.known = known;
  }

  /** Returns the least chosen candidate and increases its count. */
  leastTried<Candidate>(candidates: readonly Candidate[], keyOf: (candidate: Candidate) => string): Candidate {
    const tried = candidates.map((candidate) => ({ candidate, key: keyOf(candidate), tries: this.#tries.get(keyOf(candidate)) ?? 0 }));
    const best = tried.reduce((least, one) => (one.tries < least.tries ? one : least));
    this.#tries.set(best.key, best.tries + 1);
    return best.candidate;
  }

  #count(key: string, more: number): void {
    this.#tries.set(key, (this.#tries.get(key) ?? 0) + more);
  }

  /** Returns the key of the route that handles the request, or its path if there is none. */
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

  /** Records the result of a request: a success that other roles may repeat, and the links and forms of its page. */
  note(sent: Sent, viewer: Viewer, { status, body, isPage, precious }: Seen): void {
    this.last = sent;
    // Requests with a password are slow to handle, so they are tried less often.
    if (sent.body?.includes('assword')) this.#count(`route ${this.routeOf(sent)}`, 12);
    if (status < 400) {
      // Reached routes are tried less often than unreached ones.
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

  /** Returns one value of each kind, a different one each time, so that values on many pages are not drawn more often than others. */
  #oneOfEach<Value>(map: Map<string, Map<string, Value>>): Value[] {
    this.#turn += 1;
    return [...map.values()].map((kind) => [...kind.values()][this.#turn % kind.size] as Value);
  }

  readonly #readPaths = new Set<string>();

  /** Records the parameters of a URL also for related routes, which have the same beginning and number of parameters. */
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

/** @returns whether the value is new */
function keep<Value>(map: Map<string, Map<string, Value>>, kind: string, value: Value, text: string): boolean {
  const known = map.get(kind) ?? new Map<string, Value>();
  map.set(kind, known);
  if (known.has(text)) return false;
  known.set(text, value);
  if (known.size > kept) known.delete([...known.keys()][0] as string);
  return true;
}
