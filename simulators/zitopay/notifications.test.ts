import t from 'tap';
import { startMerchant } from '../platform/testing.ts';
import { checkoutOf, startSimulator } from './testing.ts';

t.test('one urlencoded notification, before the response to the approval', async (t) => {
  const merchant = await startMerchant(t);
  const { control } = await startSimulator(t);
  const { transactionReference } = await control.register(checkoutOf('A', merchant));
  const approved = await control.approve('A');

  t.equal(merchant.received.length, 1);
  const [notification] = merchant.received;
  t.match(notification, { method: 'POST', url: '/notification', type: /^application\/x-www-form-urlencoded/ });
  t.strictSame(Object.fromEntries(new URLSearchParams(notification?.body)), {
    ref: 'A',
    zitopay_transaction_reference: transactionReference,
  });
  t.strictSame(approved.deliveries, [{ ref: 'A', httpStatus: 200, error: null }]);

  await control.approve('A');
  t.equal(merchant.received.length, 1, 'approving again changes nothing');
  await control.notify('A');
  t.equal(merchant.received.length, 2, 'except by an explicit request');
});

t.test('a knob sets the number of notifications', async (t) => {
  const merchant = await startMerchant(t);
  const { control } = await startSimulator(t);
  for (const ref of ['A', 'B', 'C']) await control.register(checkoutOf(ref, merchant));
  await control.setKnobs({ notificationTimes: 0 }, 'A');
  await control.setKnobs({ notificationTimes: 3 }, 'B');
  await control.approve('A');
  t.equal(merchant.received.length, 0);
  await control.approve('B');
  t.equal(merchant.received.length, 3);
  await control.decline('C');
  t.equal(merchant.received.length, 3, 'a failure sends none');
});

t.test('a failure notifies if the knob says so', async (t) => {
  const merchant = await startMerchant(t);
  const { control } = await startSimulator(t);
  await control.register(checkoutOf('A', merchant));
  await control.setKnobs({ notifyFailures: true });
  await control.decline('A');
  t.equal(merchant.received.length, 1);
});

t.test('knobs send a multipart notification with an unknown reference', async (t) => {
  const merchant = await startMerchant(t);
  const { control } = await startSimulator(t);
  await control.register(checkoutOf('A', merchant));
  await control.setKnobs({ notificationEncoding: 'multipart', notificationReference: 'unknown' });
  await control.approve('A');
  const [notification] = merchant.received;
  t.match(notification?.type, /^multipart\/form-data; boundary=/);
  t.match(notification?.body, /name="ref"\r\n\r\nINCONNU-/);
  t.match(notification?.body, /name="zitopay_transaction_reference"\r\n\r\nSIM-/);
});

t.test('after the redirect: the response does not wait for the notification', { timeout: 5_000 }, async (t) => {
  const { promise: held, resolve: release } = Promise.withResolvers<number>();
  const merchant = await startMerchant(t, () => held);
  const { control } = await startSimulator(t, { notificationTimeoutMs: 60_000 });
  await control.register(checkoutOf('A', merchant));
  await control.setKnobs({ notificationMoment: 'after-redirect' });
  t.equal((await control.approve('A')).status, 'COMPLETED', 'responds while the merchant still processes the notification');
  t.equal((await merchant.has(1)).length, 1);
  release(200);
});

t.test('a planned approval notifies when its time comes', async (t) => {
  const merchant = await startMerchant(t);
  const { control } = await startSimulator(t);
  await control.register(checkoutOf('A', merchant));
  t.equal((await control.approveLater('A', 5)).status, 'PENDING');
  await merchant.has(1);
  t.equal((await control.transaction('A')).status, 'COMPLETED');
});

t.test('a second planned approval replaces the first', async (t) => {
  const merchant = await startMerchant(t);
  const { control } = await startSimulator(t, { clock: () => 0 });
  await control.register(checkoutOf('A', merchant));
  await control.approveLater('A', 20_000);
  await control.approveLater('A', 600_000);
  await control.advance(599_999);
  t.match(await control.transaction('A'), { status: 'PENDING', approvalDueAt: '1970-01-01T00:10:00.000Z' });
  await control.advance(1);
  t.equal((await control.transaction('A')).status, 'COMPLETED');
  await merchant.has(1);
});

t.test('a merchant that refuses, hangs or is unreachable blocks nothing', async (t) => {
  const refusing = await startMerchant(t, () => 500);
  const hanging = await startMerchant(t, () => new Promise(() => {}));
  const { control } = await startSimulator(t, { notificationTimeoutMs: 50 });
  await control.setKnobs({ notificationTimes: 2 });
  await control.register(checkoutOf('A', refusing));
  await control.register(checkoutOf('B', hanging));
  await control.register({ ...checkoutOf('C'), notification_url: 'http://127.0.0.1:1/' });

  t.match(await control.approve('A'), { status: 'COMPLETED', deliveries: [{ httpStatus: 500 }, { httpStatus: 500 }] });
  t.strictSame((await control.approve('B')).deliveries, [{ ref: 'B', httpStatus: null, error: 'TimeoutError' }]);
  t.match(await control.approve('C'), { status: 'COMPLETED', deliveries: [{ error: 'TypeError' }, { error: 'TypeError' }] });
});

t.test('closing aborts a notification in progress', { timeout: 10_000 }, async (t) => {
  const merchant = await startMerchant(t, () => new Promise(() => {}));
  const { app, control } = await startSimulator(t, { notificationTimeoutMs: 60_000 });
  await control.register(checkoutOf('A', merchant));
  const approval = control.approve('A').catch(() => {});
  const [notification] = await merchant.has(1);
  const start = performance.now();
  await app.close();
  await notification?.gone;
  t.ok(performance.now() - start < 2_000, 'closed at once');
  await approval;
});
