/** Simulates one person on the site: counts clicks, fields, requests and bytes, and measures the time. */
import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import { newTab } from '../support/browser.ts';

export class Walk {
  readonly #name: string;
  readonly #origin: string;
  readonly page: Page;
  readonly protocol: CDPSession;
  #begun = 0;
  #clicks = 0;
  #fields = 0;
  #bytes = 0;
  #requests = 0;

  private constructor(name: string, origin: string, page: Page, protocol: CDPSession) {
    this.#name = name;
    this.#origin = origin;
    this.page = page;
    this.protocol = protocol;
  }

  static async begin(name: string, context: BrowserContext, origin: string): Promise<Walk> {
    const { page, protocol } = await newTab(context);
    const walk = new Walk(name, origin, page, protocol);
    protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
      walk.#bytes += encodedDataLength;
      walk.#requests += 1;
    });
    return walk;
  }

  async open(path: string): Promise<void> {
    this.#begun = performance.now();
    await this.page.goto(this.#origin + path);
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.#clicks += 1;
  }

  async fill(field: Locator, text: string): Promise<void> {
    await field.fill(text);
    this.filled();
  }

  /** Counts a field that was filled by typing. */
  filled(): void {
    this.#fields += 1;
  }

  /** Prints the totals. 1 KB is 1,000 bytes, headers included; of a provider's window only the clicks are counted. */
  async end(): Promise<void> {
    const seconds = (performance.now() - this.#begun) / 1000;
    await this.page.waitForLoadState('networkidle');
    console.log(`${this.#name}
  ${this.#clicks} clicks, ${this.#fields} fields, ${(this.#bytes / 1000).toFixed(0)} KB in ${this.#requests} requests, ${seconds.toFixed(1)} s`);
    await this.page.context().close();
  }
}
