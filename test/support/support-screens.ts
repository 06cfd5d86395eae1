import { parseHTML } from 'linkedom';
import type { Test } from 'tap';
import { startPayment } from '../../src/modules/payment/attempts/start.service.ts';
import type { Verification } from '../../src/modules/payment/contract/provider.ts';
import { settlePayment } from '../../src/modules/payment/index.ts';
import { providersOf } from '../../src/modules/payment/providers/provider.registry.ts';
import { createTestApp, submit, visit } from './app.ts';
import { createAdministrator, createEnrolment, createLearner, createPrepa } from './factories.ts';

export const documentOf = (html: string) => parseHTML(html).document;
export const textOf = (element: { textContent: string | null } | null | undefined) => element?.textContent?.replaceAll(/\s+/g, ' ').trim();

/** Opens the support screens as a super administrator, with payments whose provider responses the test sets. */
export async function openSupport(t: Test) {
  // No provider is reachable: a verification from a page gives no result.
  const home = await createTestApp(t, { ZITOPAY_BASE_URL: 'http://127.0.0.1:9' });
  const { app, kernel } = home;
  const boss = await createAdministrator(home, 'super_admin');
  const open = (path: string) => visit(app, path, boss.session);

  /** Settles a payment with this provider response. */
  async function settle(payment: number | string, answer: Verification, reportsRefunds = false): Promise<void> {
    const providers = providersOf([{ ...kernel.providers.default, reportsRefunds, verify: async () => answer }]);
    await settlePayment(kernel.fork(), kernel.context, providers, payment, 'reconciliation');
  }

  /** Creates a payment through the use cases, with provider responses. @param days left in the learner's existing enrolment */
  async function pay(answers: Verification[], { days = null }: { days?: number | null } = {}) {
    const learner = await createLearner(home);
    const prepa = await createPrepa(home);
    if (days !== null) await createEnrolment(home, learner, prepa, days);
    const input = { learner, prepaId: prepa.id, origin: 'http://127.0.0.1:1' };
    const providers = providersOf([{ ...kernel.providers.default, verify: async () => ({ kind: 'pending', raw: {} }) }]);
    const { payment } = await startPayment(kernel.fork(), kernel.context, providers, input);
    for (const answer of answers) await settle(payment.id, answer);
    const { id, reference } = payment;
    return { learner, prepa, id, reference, path: `/admin/paiements/${id}` };
  }

  /** Returns the hidden fields of a form. */
  async function hiddenFields(path: string, form: string): Promise<Record<string, string>> {
    const inputs = documentOf((await open(path)).body).querySelectorAll(`form[action="${path}/${form}"] input[type="hidden"]`);
    return Object.fromEntries([...inputs].map((input) => [String(input.getAttribute('name')), String(input.getAttribute('value'))]));
  }

  return {
    home,
    boss,
    rows: <Row extends object>(text: string, values: unknown[] = []) => kernel.fork().execute<Row[]>(text, values),
    open,
    settle,
    pay,
    hiddenFields,
    /** Submits a form of a payment's page as a browser does. */
    send: async (path: string, form: string, fields: Record<string, string> = {}) =>
      submit(app, `${path}/${form}`, { ...(await hiddenFields(path, form)), ...fields }, boss.session),
    /** Returns the message of the toast on the page after a response. */
    async toastAfter(answer: Awaited<ReturnType<typeof submit>>): Promise<string | undefined> {
      const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
      const next = await visit(app, String(answer.headers.location), `${boss.session}; flash=${flash}`);
      return textOf(documentOf(next.body).querySelector('.toast__text'));
    },
  };
}
