/**
 * Settles one payment from all sides at once: the learner's tab, a second tab and the provider's repeated notification, on two server
 * processes.
 */
import { createLearner, createPrepa, type TestLearner } from '../../test/support/factories.ts';
import type { Random } from '../../test/support/random.ts';
import type { Server, World } from '../../test/support/world.ts';

interface Attempt {
  learner: TestLearner;
  reference: string;
}

/** @returns the payment's reference, once every response has come */
export async function race(world: World, servers: Server[], random: Random): Promise<string> {
  const any = () => servers[Math.floor(random() * servers.length)] as Server;
  const attempt = await open(world, any(), any());
  const approved = random() < 0.9;
  await (approved ? world.simulator.approve(attempt.reference) : world.simulator.decline(attempt.reference));
  const settles = 2 + Math.floor(random() * 9);
  const notices = Math.floor(random() * 4);
  const answers = await Promise.all([
    ...Array.from({ length: settles }, () => settle(any(), attempt)),
    ...Array.from({ length: notices }, () => notify(any(), attempt)),
  ]);
  const refused = answers.find(({ status }) => status >= 400);
  if (refused) throw new Error(`${attempt.reference}: ${refused.url} answered ${refused.status}: ${await refused.text()}`);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  return attempt.reference;
}

/** Opens a payment. The simulator sends no notifications for it: the race sends them. */
async function open(world: World, server: Server, notified: Server): Promise<Attempt> {
  const [learner, prepa] = await Promise.all([createLearner(world), createPrepa(world)]);
  const answer = await post(server, '/api/payment/start', { prepaId: prepa.id }, learner);
  const { reference, amount, currency } = (await answer.json()) as { reference: string; amount: number; currency: string };
  await world.simulator.setKnobs({ notificationTimes: 0 }, reference);
  const notification = `${notified.url}/api/payment/zitopay/notification`;
  await world.simulator.register({ receiver: 'prepa', ref: reference, amount, currency, notification_url: notification } as never);
  return { learner, reference };
}

const settle = (server: Server, { learner, reference }: Attempt) =>
  post(server, '/api/payment/process', { transactionReference: reference }, learner);

function post(server: Server, path: string, body: object, learner: TestLearner): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${learner.token}` },
    body: JSON.stringify(body),
  });
}

function notify(server: Server, { reference }: Attempt): Promise<Response> {
  return fetch(`${server.url}/api/payment/zitopay/notification`, {
    method: 'POST',
    body: new URLSearchParams({ ref: reference, zitopay_transaction_reference: `ZTP-${reference}` }),
  });
}
