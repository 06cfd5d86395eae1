import type { Attempt, PaymentProvider, Verification } from '../../../src/modules/payment/contract/provider.ts';
import { type PaymentProviders, providersOf } from '../../../src/modules/payment/providers/provider.registry.ts';

/** A provider's record of a payment, with which our database is compared at the end. */
export interface LedgerLine {
  provider: Slug;
  amount: number;
  state: 'open' | 'paid' | 'cancelled';
  /** Refunded so far, in XAF. */
  returned: number;
}

/** 'zitopay' opens a widget and never reports refunds; 'notchpay' redirects, reports refunds, and opens a reference only once. */
export type Slug = 'zitopay' | 'notchpay';

/** A payment in our database. */
export interface Known {
  id: number;
  reference: string;
  status: string;
  refunded: number;
}

/**
 * The providers' records, and providers that respond from them. Each provider waits at a scheduling point before it reads them and before
 * it responds.
 */
export class Ledger {
  readonly lines = new Map<string, LedgerLine>();
  readonly #point: (what: string) => Promise<void>;

  constructor(point: (what: string) => Promise<void>) {
    this.#point = point;
  }

  /** Changes a record, in a separate step. */
  async change(reference: string, what: string, change: Partial<LedgerLine>): Promise<void> {
    await this.#point(`${reference} is ${what} at the provider`);
    Object.assign(this.#line(reference), change);
  }

  /** Returns whether our database already agrees with the provider's current response. */
  isKnown({ reference, status, refunded }: Known): boolean {
    const line = this.lines.get(reference);
    if (!line) return status === 'created';
    if (line.state !== 'paid') return status === (line.state === 'open' ? 'pending' : 'cancelled');
    const there = line.provider === 'notchpay' ? line.returned : 0;
    return status === 'refunded' || (status === 'succeeded' && refunded >= there);
  }

  /** A step without a change at the provider. */
  look(): Promise<void> {
    return this.#point('looks at the provider');
  }

  /** Returns a registry of the providers, as one process has it. */
  providers(): PaymentProviders {
    return providersOf([this.#provider('zitopay'), this.#provider('notchpay')]);
  }

  #line(reference: string): LedgerLine {
    const line = this.lines.get(reference);
    if (!line) throw new Error(`no ${reference} in the ledger`);
    return line;
  }

  #provider(slug: Slug): PaymentProvider {
    const redirects = slug === 'notchpay';
    return {
      slug,
      label: slug,
      means: ['mtn'],
      referencePrefix: redirects ? 'NP' : 'ZP',
      signsNotifications: false,
      signatureHeader: null,
      reportsRefunds: redirects,
      widgetScript: redirects ? null : 'https://provider.example/widget.js',
      reopens: !redirects,
      browserOrigins: [],
      addresses: ['https://provider.example'],
      timeoutMs: 10_000,
      playPayer: null,
      start: async ({ reference, amount }) => {
        await this.#point(`asks ${slug} to open ${reference}`);
        const taken = this.lines.has(reference) && redirects;
        if (!this.lines.has(reference)) this.lines.set(reference, { provider: slug, amount, state: 'open', returned: 0 });
        await this.#point(`hears of ${slug} that ${reference} is ${taken ? 'taken' : 'open'}`);
        if (taken) return { kind: 'taken' };
        const checkoutUrl = `https://provider.example/${reference}`;
        return redirects
          ? { kind: 'redirect', redirectUrl: checkoutUrl, providerTransactionId: `id-${reference}` }
          : { kind: 'widget', script: 'https://provider.example/widget.js', options: { reference }, checkoutUrl };
      },
      verify: async (attempt) => {
        await this.#point(`asks ${slug} about ${attempt.reference}`);
        const answer = answerOf(this.lines.get(attempt.reference), attempt);
        await this.#point(`hears of ${slug} about ${attempt.reference}: ${answer.kind}`);
        return answer;
      },
      readNotification: async (body) => ({ references: [body.toString()], signed: false, eventKey: `event ${body}` }),
      health: () => ({
        slug,
        breaker: 'closed',
        failures: 0,
        since: new Date(0),
        lastFailure: null,
        waitsUntil: null,
      }),
    };
  }
}

function answerOf(line: LedgerLine | undefined, { currency, reference }: Attempt): Verification {
  const raw = line ? { ...line } : null;
  if (!line) return { kind: 'not_found', raw };
  if (line.state !== 'paid') return { kind: line.state === 'open' ? 'pending' : 'cancelled', raw };
  const taken = { amount: line.amount, currency, providerTransactionId: `id-${reference}` };
  const tells = line.provider === 'notchpay' && line.returned > 0;
  if (!tells) return { kind: 'succeeded', raw, ...taken };
  return line.returned === line.amount ? { kind: 'refunded', raw } : { kind: 'partly_refunded', taken, returned: line.returned, raw };
}
