import t from 'tap';
import { settings } from '../../../../test/support/notchpay-samples.ts';
import { notchpayAdapter } from '../providers/notchpay/adapter.ts';
import { isSigned } from './signature.ts';

/** The example of the provider's documentation: exactly these 200 bytes, without a newline (payment-providers §4). */
const documented = Buffer.from(
  '{"id":"evt_sim_0001","type":"payment.complete","created_at":"2026-01-15T10:04:12Z","data":{"id":"trx.sim_abc","reference":"NP1768471200000a1b2c3d4","amount":5000,"currency":"XAF","status":"complete"}}',
);
const documentedSignature = '176cf36d05bbce92b7fbc3aa19606510973532f2460064eb7b9f809ed079bb1f';

/** Our own example: pretty-printed, with accents, escaped slashes, an escaped accent, trailing spaces and a final newline. */
const accented = Buffer.from(`{
  "id": "evt_sim_0002",
  "type": "payment.complete",
  "data": {
    "reference": "NP1768471200000a1b2c3d4",
    "description": "Inscription 30 jours \u2013 Prépa ENAM / Économie & société",
    "callback": "https:\\/\\/prepa.example\\/success?retour=\\u00e9l\\u00e8ve",
    "amount": 5000.0,
    "currency": "XAF",  
    "status": "complete"
  }
}
`);
// Computed with openssl dgst -sha256 -hmac hsk_test_sim, and -sha512.
const accentedSignature = '8775d13feeb42bd8d908929980c49679c49430b5141fbb7cae472ed9d47725e4';
const accentedSha512 =
  'ee0ebd1aa00cd7ea6e347f50a7cfc135b1d9f23d90aec1d834f553ac11b0b036abaf8c6fda84b404feac1f768926544b113a680c5b0bdd2eb20b670f93c21aec';

const key = 'hsk_test_sim';

t.test('the test vector of the documentation, and one of our own', async (t) => {
  t.equal(documented.length, 200);
  t.equal(accented.length, 348);
  t.equal(isSigned(documented, documentedSignature, key, 'sha256'), true);
  t.equal(isSigned(documented, documentedSignature.toUpperCase(), key, 'sha256'), true, 'hexadecimal has no case');
  t.equal(isSigned(accented, accentedSignature, key, 'sha256'), true);
  t.equal(isSigned(accented, accentedSha512, key, 'sha512'), true);
});

t.test('a signature does not match the same JSON in other bytes', async (t) => {
  const others: [string, Buffer, string, string][] = [
    ['re-serialised', accented, accentedSignature, JSON.stringify(JSON.parse(accented.toString()))],
    ['re-serialised as prettily', accented, accentedSignature, `${JSON.stringify(JSON.parse(accented.toString()), null, 2)}\n`],
    ['without its last newline', accented, accentedSignature, accented.toString().trimEnd()],
    ['read as Latin-1', accented, accentedSignature, accented.toString('latin1')],
    ['another amount', accented, accentedSignature, accented.toString().replace('5000', '5001')],
    ['pretty-printed', documented, documentedSignature, JSON.stringify(JSON.parse(documented.toString()), null, 2)],
    ['with a newline', documented, documentedSignature, `${documented.toString()}\n`],
    ['fields in another order', documented, documentedSignature, JSON.stringify({ type: 0, ...JSON.parse(documented.toString()) })],
  ];
  for (const [name, body, signature, text] of others) {
    t.equal(isSigned(body, signature, key, 'sha256'), true, `${name}: as it came`);
    t.equal(isSigned(Buffer.from(text), signature, key, 'sha256'), false, name);
  }
});

t.test('invalid signatures are refused without an error', async (t) => {
  const others: [string, string | string[] | undefined][] = [
    ['no signature', undefined],
    ['empty', ''],
    ['twice', [documentedSignature, documentedSignature]],
    ['cut', documentedSignature.slice(0, -2)],
    ['too long', `${documentedSignature}00`],
    ['a prefix of ours', `sha256=${documentedSignature}`],
    ['base64', Buffer.from(documentedSignature, 'hex').toString('base64')],
    ['right length, not hexadecimal', `${documentedSignature.slice(0, -1)}g`],
    ['one digit off', `${documentedSignature.slice(0, -1)}e`],
  ];
  for (const [name, given] of others) t.equal(isSigned(documented, given, key, 'sha256'), false, name);
  t.equal(isSigned(documented, documentedSignature, 'hsk_other', 'sha256'), false, 'a signature with another key is refused');
  t.equal(isSigned(documented, documentedSignature, key, 'sha512'), false, 'a signature with another algorithm is refused');
});

t.test('without a secret no signature is valid', async (t) => {
  // The HMAC with an empty key: openssl dgst -sha256 -hmac ''.
  const withEmptyKey = '624f223ac3af2e227778a9fafd1e08328fd489ac13a8800606fcaabb470a6bca';
  for (const secret of [null, '']) {
    t.equal(isSigned(documented, documentedSignature, secret, 'sha256'), false);
    t.equal(isSigned(documented, withEmptyKey, secret, 'sha256'), false, 'a signature with an empty key is refused');
  }
});

t.test('header and algorithm are settings', async (t) => {
  const older = notchpayAdapter({ ...settings, signatureHeader: 'x-notchpay-signature', signatureAlgorithm: 'sha512' });
  const signed = async (provider: typeof older, headers: Record<string, string>) =>
    (await provider.readNotification(accented, headers)).signed;
  t.equal(await signed(older, { 'x-notchpay-signature': accentedSha512 }), true);
  t.equal(await signed(older, { 'x-notch-signature': accentedSha512 }), false);
  t.equal(await signed(older, { 'x-notchpay-signature': accentedSignature }), false);
  t.equal(await signed(notchpayAdapter(settings), { 'x-notch-signature': accentedSignature }), true);
  t.equal(await signed(notchpayAdapter(settings), { 'x-notchpay-signature': accentedSignature }), false);
  t.equal(
    await signed(notchpayAdapter({ ...settings, hashKey: null }), { 'x-notch-signature': accentedSignature }),
    false,
    'no signature is valid without a hash key',
  );
  t.equal(await signed(notchpayAdapter({ ...settings, hashKey: null, publicKey: key }), { 'x-notch-signature': accentedSignature }), false);
});
