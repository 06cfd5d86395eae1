import t from 'tap';
import { type HalfSent, HalfSentRequests } from './half-sent-requests.ts';

interface Sent extends HalfSent {
  bytes: number;
}

const sent = (startedAt: number, network = '192.0.2.1'): Sent => {
  const request: Sent = { network, startedAt, bytes: 0, receivedBytes: () => request.bytes };
  return request;
};

t.test('gives up a body without bytes after ten seconds', async (t) => {
  const requests = new HalfSentRequests<Sent>();
  const request = sent(0);
  requests.add(request);
  t.same(requests.overdue(10_000), []);
  t.same(requests.overdue(10_001), [request]);
  t.same(requests.overdue(60_000), [], 'an overdue body is returned once');
});

t.test('gives up a body sent byte by byte, but not one of a slow phone', async (t) => {
  const requests = new HalfSentRequests<Sent>();
  const [drip, phone] = [sent(0), sent(0)];
  requests.add(drip);
  requests.add(phone);
  let given: Sent[] = [];
  for (let second = 1; second <= 110; second += 1) {
    drip.bytes += 20;
    phone.bytes += 1_000;
    given = [...given, ...requests.overdue(second * 1_000)];
  }
  t.same(given, [drip]);
});

t.test('gives up a body that stops half-way after twenty seconds', async (t) => {
  const requests = new HalfSentRequests<Sent>();
  const upload = sent(0);
  requests.add(upload);
  upload.bytes = 1_000_000;
  t.same(requests.overdue(1_000), []);
  t.same(requests.overdue(21_000), []);
  upload.bytes += 1;
  t.same(requests.overdue(22_000), []);
  t.same(requests.overdue(42_001), [upload]);
});

t.test('gives up the body with the least time left above 64 per network', async (t) => {
  const requests = new HalfSentRequests<Sent>();
  const upload = sent(0);
  upload.bytes = 100_000;
  requests.add(upload);
  const silent = Array.from({ length: 63 }, (_, number) => sent(number));
  for (const request of silent) t.equal(requests.add(request), null);
  t.equal(requests.add(sent(100)), silent[0], 'the first request without bytes is given up, not the upload');
  t.equal(requests.add(sent(100, '192.0.2.2')), null, 'another network has its own limit');
  requests.remove(silent[1] as Sent);
  t.equal(requests.add(sent(100)), null, 'a complete body no longer counts');
});
