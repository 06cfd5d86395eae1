import { createCheckout } from '../../islands/payment/checkout.ts';
import type { CheckoutBrowser, CheckoutSettings } from '../../islands/payment/checkout-contract.ts';

export const prepa = { id: 3, nom: 'ENS Yaoundé', prix: '15 000 XAF', montant: 15000 };
const attempt = {
  reference: 'ZP1',
  provider: 'zitopay',
  label: 'ZitoPay',
  montant: '15 000 XAF',
  begun: '21 novembre 2026 à 14:32',
  resumable: true,
  mayBeginAnother: true,
  autres: null,
};
export const started = {
  attempt,
  reference: 'ZP1',
  amount: 15000,
  currency: 'XAF',
  widget: { script: 'https://provider.test/payment.js', options: { ref: 'ZP1', amount: 15000 } },
  checkoutUrl: 'https://provider.test/sci?ref=ZP1',
};
export const ok = (body: object) => ({ status: 200, ok: true, body });
export const refused = (status: number, message = '') => ({ status, ok: false, body: { message } });

type Callbacks = { onDone(answer?: unknown): void; onClose(reason?: unknown): void };

/** Returns a fake browser whose clock only tests advance, with prepared responses for each path. */
export function fakeBrowser({ start = [ok(started)], process = [] as unknown[], scripts = [] as boolean[] } = {}) {
  const answers: Record<string, unknown[]> = { '/api/payment/start': [...start], '/api/payment/process': [...process] };
  const log: string[] = [];
  const sent: { path: string; body: object }[] = [];
  const timers = new Map<number, { at: number; run: () => void }>();
  let now = 0;
  let next = 0;
  let widget: { pay(options: Record<string, unknown>): unknown; closePopup(): void } | undefined;
  const opened: Callbacks[] = [];
  const returns: (() => void)[] = [];
  const available = { pay: (options: object) => void opened.push(options as Callbacks), closePopup: () => void log.push('popup closed') };
  const browser = {
    async post(path: string, body: object) {
      sent.push({ path, body });
      const queue = answers[path] ?? [];
      return queue.length > 1 ? queue.shift() : (queue[0] ?? null);
    },
    async loadScript() {
      if (scripts.shift() === false) throw new Error('offline');
      widget = available;
    },
    widget: () => widget,
    showDialog: () => log.push('dialog shown'),
    hideDialog: () => log.push('dialog hidden'),
    toast: (kind: string, message: string) => log.push(`${kind}: ${message}`),
    later(ms: number, run: () => void) {
      next += 1;
      const id = next;
      timers.set(id, { at: now + ms, run });
      return () => timers.delete(id);
    },
    onReturn: (run: () => void) => returns.push(run),
    address: () => ({ pathname: '/user/dashboard', search: '?paiement=3' }),
    go: (address: string) => log.push(`go ${address}`),
  } as unknown as CheckoutBrowser;

  return {
    browser,
    log,
    sent,
    opened,
    come: () => returns.forEach((run) => void run()),
    replace: (value: typeof widget) => {
      widget = value;
    },
    async pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
        if (!due) break;
        now = due[1].at;
        timers.delete(due[0]);
        due[1].run();
        await settle();
      }
      now = end;
    },
  };
}

/** Lets pending promises run. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

export const zitopay = { slug: 'zitopay', label: 'ZitoPay', script: 'https://provider.test/payment.js' };
export const notchpay = { slug: 'notchpay', label: 'Notch Pay', script: null };
export const settings: CheckoutSettings = { simulation: false, signedIn: true, providers: [zitopay] };

export async function checkoutWith(options: Parameters<typeof fakeBrowser>[0], changed: Partial<CheckoutSettings> = {}) {
  const world = fakeBrowser(options);
  const checkout = createCheckout({ ...settings, ...changed }, world.browser, 'loading');
  checkout.open(prepa);
  await settle();
  return { ...world, checkout };
}
