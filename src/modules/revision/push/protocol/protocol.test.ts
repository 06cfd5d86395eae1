import { createECDH } from 'node:crypto';
import t from 'tap';
import { decryptFor, verifyVapid } from '../../../../../test/support/push-service.ts';
import { areBrowserKeys, encryptFor } from './encryption.ts';
import { pushServiceOf } from './endpoint.ts';
import { createVapidKeys, isVapidPair, vapidHeader } from './vapid.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
const pairOf = (privateKey: string) => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes(privateKey));
  return pair;
};

/** RFC 8291, section 5 and appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  browserPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

t.test("the RFC's example: encrypted as there, and read by the test's push service", async (t) => {
  const own = { pair: pairOf(example.senderPrivate), salt: bytes(example.salt) };
  t.equal(encryptFor(example, example.text, own).toString('base64url'), example.body);
  t.equal(decryptFor({ pair: pairOf(example.browserPrivate), auth: example.auth }, bytes(example.body)), example.text);
});

t.test('no two messages have the same key or salt', async (t) => {
  const [one, other] = [encryptFor(example, 'a'), encryptFor(example, 'a')];
  t.not(one.subarray(0, 16).toString('hex'), other.subarray(0, 16).toString('hex'));
  t.not(one.subarray(21, 86).toString('hex'), other.subarray(21, 86).toString('hex'));
});

t.test("the signature names the service and ends within a day; another key's is refused", async (t) => {
  // RFC 8292, section 2.4: the test's check reads it.
  const rfc =
    'vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs';
  const rfcKey = rfc.split('k=')[1] ?? '';
  t.same(verifyVapid(rfc, rfcKey), { aud: 'https://push.example.net', exp: 1_453_523_768, sub: 'mailto:push@example.com' });

  const keys = createVapidKeys();
  const now = new Date('2026-11-28T18:00:00Z');
  const header = vapidHeader(keys, 'https://push.example.net', 'mailto:support@prepa.example', now);
  const { aud, exp, sub } = verifyVapid(header, keys.publicKey);
  t.same([aud, sub], ['https://push.example.net', 'mailto:support@prepa.example']);
  t.ok(exp * 1000 > now.getTime() + 3_600_000 && exp * 1000 <= now.getTime() + 86_400_000);
  const forged = vapidHeader({ ...createVapidKeys(), publicKey: keys.publicKey }, aud, sub, now);
  t.throws(() => verifyVapid(forged, keys.publicKey), /wrong signature/);
});

t.test('a pair belongs together', async (t) => {
  const pair = createVapidKeys();
  t.ok(isVapidPair(pair));
  t.notOk(isVapidPair({ ...pair, privateKey: createVapidKeys().privateKey }));
  t.notOk(isVapidPair({ ...pair, privateKey: Buffer.alloc(32).toString('base64url') }));
});

t.test('keys of a browser are a point on the curve and sixteen bytes', async (t) => {
  const { p256dh, auth } = example;
  t.ok(areBrowserKeys({ p256dh, auth }));
  t.notOk(areBrowserKeys({ p256dh, auth: 'AAAA' }));
  t.notOk(areBrowserKeys({ p256dh: p256dh.slice(0, 40), auth }));
  const off = bytes(p256dh);
  off.writeUInt8(off.readUInt8(64) ^ 1, 64);
  t.notOk(areBrowserKeys({ p256dh: off.toString('base64url'), auth }));
});

t.test('endpoints: public https services only', async (t) => {
  t.equal(pushServiceOf('https://fcm.googleapis.com/fcm/send/abc', false), 'fcm.googleapis.com');
  t.equal(pushServiceOf('https://updates.push.services.mozilla.com/wpush/v2/x', false), 'updates.push.services.mozilla.com');
  const refused = [
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://8.8.8.8/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://2130706433/x',
    'https://localhost/x',
    'https://localhost./x',
    'https://base.internal/x',
    'https://postgres/x',
    'https://push.example.com:8443/x',
    'https://user:secret@push.example.com/x',
    'ftp://push.example.com/x',
    'push.example.com',
    `https://push.example.com/${'x'.repeat(1_000)}`,
    'http://127.0.0.1:9999/x',
  ];
  for (const endpoint of refused) t.equal(pushServiceOf(endpoint, false), null, endpoint);
  t.equal(pushServiceOf('http://127.0.0.1:9999/x', true), '127.0.0.1:9999');
  t.equal(pushServiceOf('http://10.0.0.1:9999/x', true), null);
});
