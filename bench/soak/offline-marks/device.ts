import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { TestLearner } from '../../../test/support/factories.ts';
import type { NetworkPath } from '../../../test/support/network-path.ts';
import type { Random } from '../../../test/support/random.ts';
import type { Ledger, Mark, MarkKind, WaitingEntry } from './ledger.ts';

/** Number of marks that a page makes at the same time. */
const lanes = 3;
/** Timeout for a page to load or a mark to be answered, in ms. */
const timeoutMs = 15_000;
/** Timeout for all marks of a page, in ms: some browsers never report that a page has crashed. */
const roundMs = 20_000;
/** Timeout for all waiting entries to arrive once the network works again, in ms. */
const arrivalMs = 120_000;

/** An item that can be marked. */
export interface MarkableItem {
  id: number;
  discipline: number;
  kind: string;
  /** Whether the item has a correction, and so can be practised. */
  corrected: boolean;
}

/** Number of events by their description. */
export type Tally = Record<string, number>;

interface DeviceOptions {
  browser: Browser;
  path: NetworkPath;
  learner: TestLearner;
  prepa: number;
  items: readonly MarkableItem[];
  random: Random;
  ledger: Ledger;
  tally: Tally;
  /** Runs in each page and worker before any other code. */
  plant: (() => void) | null;
}

/** A request of a page: its URL and, for a form, the encoded fields. */
type Sent = [address: string, form: string | null];

/** A separate browser context on which a learner keeps a prepa and makes marks, while the network, the page or the worker fails. */
export class Device {
  readonly #options: DeviceOptions;
  readonly #context: BrowserContext;
  #page: Page | null = null;
  /** Marks begun in this round, by number, until their page gets a result. */
  readonly #begun = new Map<number, Mark>();
  /** All marks ever begun; the index is the mark's number. */
  readonly #made: Mark[] = [];
  /** Numbers of marks that went directly to the server, past the worker. */
  readonly #direct = new Set<number>();
  /** Marks to repeat, as a learner who saw no result would. */
  #again: Mark[] = [];
  told = 0;

  private constructor(options: DeviceOptions, context: BrowserContext) {
    this.#options = options;
    this.#context = context;
  }

  static async open(options: DeviceOptions): Promise<Device> {
    const { browser, path, learner, plant } = options;
    const baseURL = path.url.replace(/\/$/, '');
    const context = await browser.newContext({
      baseURL,
      viewport: { width: 360, height: 740 },
      locale: 'fr-FR',
      timezoneId: 'Africa/Douala',
    });
    context.setDefaultTimeout(timeoutMs);
    await context.addCookies([{ name: 'userToken', value: learner.token, url: baseURL, httpOnly: true, sameSite: 'Lax' }]);
    const device = new Device(options, context);
    await context.exposeBinding('markTold', (_source, number: number, isKept: boolean) => device.#hear(number, isKept));
    path.listen((data) => device.#overhear(data));
    if (plant) {
      await context.addInitScript(plant);
      context.on('serviceworker', (worker) => void worker.evaluate(plant).catch(() => {}));
    }
    return device;
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** Keeps the prepa with the button on its page. */
  async keep(): Promise<void> {
    const page = await this.#context.newPage();
    await page.goto(`/user/prepa/${this.#options.prepa}/hors-ligne`);
    await page.locator('[data-act="keep"]').click();
    await page.getByText('Gardée sur cet appareil').first().waitFor({ timeout: 60_000 });
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    await page.close();
  }

  /** Makes `count` marks on one page, while the network, the page or the worker may fail. */
  async round(count: number): Promise<void> {
    const { ledger } = this.#options;
    this.#restore();
    const disturb = this.#drawNetwork();
    const page = await this.#openPage();
    if (!page) {
      this.#count('pages that did not open');
      return;
    }
    disturb();
    const marking = this.#mark(page, count).then(() => this.#look(page));
    // False when the page is gone or a response did not come in time.
    const isWhole = (await Promise.all([within(roundMs, marking), within(roundMs, this.#meetFate(page))])).every(Boolean);
    if (!isWhole) this.#leave(page);
    for (const mark of this.#begun.values()) {
      ledger.wonder(mark);
      this.#again.push(mark);
    }
    this.#begun.clear();
  }

  /** Waits, with a working network, until no entry is left to send. @returns the number of entries still left at the timeout */
  async arrive(): Promise<number> {
    this.#restore();
    let left = Number.POSITIVE_INFINITY;
    for (const deadline = Date.now() + arrivalMs; left > 0 && Date.now() < deadline; ) {
      const page = await this.#openPage();
      if (!page) continue;
      const looks = Date.now() + 2 * timeoutMs;
      const look = async () => {
        left = (await this.#look(page)).length;
      };
      while (left > 0 && Date.now() < looks && (await within(timeoutMs, look()))) await sleep(250);
      this.#leave(page);
    }
    return left;
  }

  /** @returns the waiting entries, after the ledger has recorded them */
  async #look(page: Page): Promise<WaitingEntry[]> {
    const entries = await waiting(page);
    this.#options.ledger.see(this.#options.learner.id, entries);
    return entries;
  }

  #count(what: string): void {
    const { tally } = this.#options;
    tally[what] = (tally[what] ?? 0) + 1;
  }

  #hear(number: number, isKept: boolean): void {
    const mark = this.#begun.get(number);
    if (!mark) return;
    if (!isKept) {
      this.#count('marks refused or unanswered');
      return;
    }
    this.#begun.delete(number);
    if (this.#direct.has(number)) return;
    this.told += 1;
    this.#options.ledger.tell(mark);
  }

  /** Records a mark whose request reached the network past the worker: the device has no entry for it. */
  #overhear(data: Buffer): void {
    const number = Number(/^POST \S+[?&]marque=(\d+) /.exec(data.toString('latin1', 0, 300))?.[1]);
    const mark = this.#made[number];
    if (!mark) return;
    this.#direct.add(number);
    this.#count('marks past the worker');
    this.#options.ledger.bypass(mark);
  }

  #restore(): void {
    const { path } = this.#options;
    path.setConditions({});
    path.restore();
    path.close('reset');
  }

  /**
   * Draws a network condition before the page opens. Applies a part of it at once and returns the part to apply while the page makes marks.
   */
  #drawNetwork(): () => void {
    const { path, random } = this.#options;
    const chance = random();
    const later = () => {};
    if (chance < 0.3) return later;
    if (chance < 0.5) {
      this.#count('lossy networks');
      path.setConditions({ silent: 0.05, reset: 0.15, delayMs: [0, 20] });
      return later;
    }
    if (chance < 0.65) {
      this.#count('lost answers');
      path.cutAfter('/api/hors-ligne/marques');
      return later;
    }
    if (chance < 0.8) {
      this.#count('hanging networks');
      if (random() < 0.5) path.cut();
      return () => path.cut();
    }
    if (chance < 0.9) {
      this.#count('resets');
      return () => path.close('reset');
    }
    this.#count('times without network');
    path.setConditions({ reset: 1 });
    return later;
  }

  async #openPage(): Promise<Page | null> {
    if (this.#page && !this.#page.isClosed()) return this.#page;
    const opening = async () => {
      const page = await this.#context.newPage();
      this.#page = page;
      // A prepa page without an item in its URL marks none as opened.
      await page.goto(`/user/prepa/${this.#options.prepa}`, { waitUntil: 'domcontentloaded' });
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    };
    if (!(await within(roundMs, opening())) && this.#page) this.#leave(this.#page);
    return this.#page;
  }

  /** Closes the page, whether it still responds or not; the next round opens a new one. */
  #leave(page: Page): void {
    page.close().catch(() => {});
    this.#page = null;
  }

  /** Closes or crashes the page or stops its worker at a random moment, or does nothing. */
  async #meetFate(page: Page): Promise<void> {
    const { random } = this.#options;
    const chance = random();
    const after = 20 + random() * 400;
    if (chance > 0.6) return;
    await sleep(after);
    try {
      if (chance < 0.15) {
        this.#count('closed pages');
        await page.close();
      } else if (chance < 0.25) {
        this.#count('crashed pages');
        const protocol = await this.#context.newCDPSession(page);
        const crashed = page.waitForEvent('crash');
        protocol.send('Page.crash').catch(() => {});
        await crashed;
        await page.close();
      } else if (chance < 0.5) {
        this.#count('stopped workers');
        const protocol = await this.#context.newCDPSession(page);
        await protocol.send('ServiceWorker.enable');
        await protocol.send('ServiceWorker.stopAllWorkers');
        await protocol.detach();
      } else {
        this.#count('left pages');
        await page.goto(`/user/prepa/${this.#options.prepa}`, { waitUntil: 'commit' });
        await page.close();
      }
    } catch {
      // The page was already closed.
    }
  }

  #mark(page: Page, count: number): Promise<void> {
    return this.#options.random() < 0.1 ? this.#practise(page) : this.#markMany(page, count);
  }

  #draw(): Mark {
    const { random, items, learner } = this.#options;
    const item = items[Math.floor(random() * items.length)] as MarkableItem;
    const kinds: MarkKind[] = item.corrected ? ['lu', 'termine', 'reussi', 'a_revoir'] : ['lu', 'termine'];
    return { learner: learner.id, item: item.id, kind: kinds[Math.floor(random() * kinds.length)] as MarkKind };
  }

  /** Returns the request that the study page or a practice sends for the mark. */
  #sent({ item, kind }: Mark): Sent {
    if (kind === 'lu' || kind === 'termine') return [`/api/items/${item}/${kind}`, null];
    const { discipline, kind: type } = this.#options.items.find(({ id }) => id === item) as MarkableItem;
    const form = new URLSearchParams({ type, item: String(item), verdict: kind });
    return [`/user/prepa/${this.#options.prepa}/${discipline}/entrainement`, form.toString()];
  }

  async #markMany(page: Page, count: number): Promise<void> {
    const again = this.#again.splice(0, count);
    if (again.length > 0) this.#count('rounds that marked again');
    const marks = [...again, ...Array.from({ length: count - again.length }, () => this.#draw())];
    for (let first = 0; first < marks.length; first += lanes) {
      // The page was replaced meanwhile: it begins no more marks.
      if (page !== this.#page) return;
      const sent = marks.slice(first, first + lanes).map((mark): [number, Sent] => [this.#begin(mark), this.#sent(mark)]);
      await page.evaluate(sendMarks, { sent, timeoutMs });
    }
  }

  /** @returns the mark's number */
  #begin(mark: Mark): number {
    const number = this.#made.push(mark) - 1;
    this.#begun.set(number, mark);
    return number;
  }

  /** Goes through a practice from its page to its result. Each request for its page marks the item as opened. */
  async #practise(page: Page): Promise<void> {
    const { items, random, learner, ledger, prepa } = this.#options;
    const practised = items.filter(({ corrected }) => corrected);
    const item = practised[Math.floor(random() * practised.length)];
    if (!item) return;
    const opened: Mark = { learner: learner.id, item: item.id, kind: 'lu' };
    const address = `/user/prepa/${prepa}/${item.discipline}/entrainement?type=${item.kind}&item=${item.id}`;
    ledger.wonder(opened);
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    ledger.wonder(opened);
    await page.getByRole('link', { name: 'Voir le corrigé' }).first().click();
    const kind = random() < 0.5 ? 'reussi' : 'a_revoir';
    const button = page.getByRole('button', { name: kind === 'reussi' ? 'Réussi' : 'À revoir', exact: true });
    await button.waitFor();
    if (page !== this.#page) return;
    const number = this.#begin({ learner: learner.id, item: item.id, kind });
    await page.locator('.practice__mark').evaluate((form: HTMLFormElement, number) => {
      form.action += `?marque=${number}`;
    }, number);
    await button.click();
    await page.waitForURL(/\/suite\?/, { waitUntil: 'commit' });
    this.#hear(number, true);
    this.#count('practices on their page');
  }
}

/** Returns whether `work` succeeded within `ms`. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const done = work.then(
    () => true,
    () => false,
  );
  const ended = await Promise.race([done, sleep(ms, false, { signal: late.signal }).catch(() => false)]);
  late.abort();
  return ended;
}

/** Runs in the page. Each URL has the mark's number as a parameter, which the worker ignores. */
async function sendMarks({ sent, timeoutMs }: { sent: [number, Sent][]; timeoutMs: number }): Promise<void> {
  const { markTold } = globalThis as unknown as { markTold(number: number, isKept: boolean): Promise<void> };
  const send = async (number: number, [address, form]: Sent): Promise<boolean> => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = form === null ? { keepalive: true } : { body: new URLSearchParams(form), redirect: 'manual' as const };
    try {
      const answer = await fetch(`${address}?marque=${number}`, {
        method: 'POST',
        headers,
        signal: AbortSignal.timeout(timeoutMs),
        ...body,
      });
      return form === null ? answer.status === 204 : answer.type === 'opaqueredirect';
    } catch {
      return false;
    }
  };
  await Promise.all(sent.map(async ([number, one]) => markTold(number, await send(number, one))));
}

/** Returns the waiting entries, read from IndexedDB directly and not through the application. */
function waiting(page: Page): Promise<WaitingEntry[]> {
  return page.evaluate(async () => {
    const asked = indexedDB.open('prepa-hors-ligne');
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      asked.onupgradeneeded = () => asked.transaction?.abort();
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
    const all = database.transaction('outbox').objectStore('outbox').getAll();
    await new Promise((resolve) => {
      all.onsuccess = resolve;
    });
    database.close();
    return all.result;
  });
}
