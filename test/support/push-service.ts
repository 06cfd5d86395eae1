import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

// A push service, written from RFC 8030, 8188, 8291 and 8292 without the application's code.

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

/** A browser's subscription with its private key. */
export interface TestBrowser {
  endpoint: string;
  p256dh: string;
  auth: string;
  pair: ECDH;
}

/** Decrypts a message to a browser (RFC 8291 §3). @throws Error when it was not encrypted for this browser, or has several records */
export function decryptFor({ pair, auth }: Pick<TestBrowser, 'pair' | 'auth'>, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyEnd = 21 + body.readUInt8(20);
  const sender = body.subarray(21, keyEnd);
  const record = body.subarray(keyEnd);
  if (record.length > recordSize || body.length > 4096) throw new Error('more than one record');
  // HKDF of RFC 5869, written out: one block of output is enough.
  const shared = hmac(bytes(auth), pair.computeSecret(sender));
  const secret = hmac(shared, 'WebPush: info\0', pair.getPublicKey(), sender, Buffer.from([1]));
  const pseudorandom = hmac(salt, secret);
  const key = hmac(pseudorandom, 'Content-Encoding: aes128gcm\0', Buffer.from([1])).subarray(0, 16);
  const nonce = hmac(pseudorandom, 'Content-Encoding: nonce\0', Buffer.from([1])).subarray(0, 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no last record');
  return padded.subarray(0, end).toString();
}

/** Checks a VAPID header (RFC 8292 §2) and returns its claims. @throws Error for a wrong signature or form */
export function verifyVapid(header: string, publicKey: string): { aud: string; exp: number; sub: string } {
  const [, head = '', claims = '', signature = '', key = ''] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  if (key !== publicKey) throw new Error('another public key');
  const { typ, alg } = JSON.parse(bytes(head).toString());
  if (typ !== 'JWT' || alg !== 'ES256') throw new Error('another algorithm');
  const point = bytes(key);
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    bytes(signature),
  );
  if (!isValid) throw new Error('wrong signature');
  return JSON.parse(bytes(claims).toString());
}

interface TestMessage {
  browser: TestBrowser;
  headers: IncomingHttpHeaders;
  payload: { title: string; body: string; url: string; tag: string };
}

/** How the service responds: with a status, never ('silence'), or by closing the connection ('reset'). */
type Answer = number | 'silence' | 'reset';

export interface PushService {
  origin: string;
  /** The messages accepted so far: with a valid signature for this service, decrypted with their browser's key. */
  messages: TestMessage[];
  /** Reasons why requests were refused with 400 or 401. */
  faults: string[];
  /** Number of requests received. */
  requests(): number;
  /** Sets the response to all requests from now on, or to those of one browser. */
  answer(answer: Answer, browser?: TestBrowser): void;
  /** Subscribes a new browser. */
  browser(): TestBrowser;
  /** Resolves after so many requests in all. */
  received(count: number): Promise<void>;
  close(): void;
}

/**
 * Starts a push service on this machine until the test ends.
 * @param publicKey the site's public key, in base64url @param now the site's time
 */
export async function openPushService(t: Pick<Test, 'teardown'>, publicKey: string, now: () => Date): Promise<PushService> {
  /** Claims of the headers checked so far: a run repeats its header. */
  const verified = new Map<string, ReturnType<typeof verifyVapid>>();
  const browsers = new Map<string, TestBrowser>();
  const answers = new Map<string, Answer>();
  const messages: TestMessage[] = [];
  const faults: string[] = [];
  const awaited: { count: number; go: () => void }[] = [];
  let general: Answer = 201;
  let requests = 0;
  let origin = '';
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    requests += 1;
    const path = request.url ?? '';
    const browser = browsers.get(path);
    const answer = answers.get(path) ?? general;
    for (const { count, go } of awaited) if (requests >= count) go();
    if (answer === 'silence') return;
    if (answer === 'reset') return request.socket.resetAndDestroy();
    if (answer !== 201 || !browser) return response.writeHead(browser ? answer : 404).end();
    try {
      const { headers, method } = request;
      const header = String(headers.authorization);
      const { aud, exp, sub } = verified.get(header) ?? verifyVapid(header, publicKey);
      verified.set(header, { aud, exp, sub });
      const ahead = exp - now().getTime() / 1000;
      if (method !== 'POST' || aud !== origin || ahead <= 0 || ahead > 86_400 || !/^(mailto|https):/.test(sub)) throw new Error('claims');
      if (headers['content-encoding'] !== 'aes128gcm' || !/^\d+$/.test(String(headers.ttl))) throw new Error('headers');
      if (!/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error('topic');
      messages.push({ browser, headers, payload: JSON.parse(decryptFor(browser, Buffer.concat(parts))) });
      response.writeHead(201).end();
    } catch (error) {
      faults.push(String(error));
      response.writeHead(400).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.teardown(close);
  return {
    origin,
    messages,
    faults,
    requests: () => requests,
    answer(answer, browser) {
      if (browser) answers.set(new URL(browser.endpoint).pathname, answer);
      else general = answer;
    },
    browser() {
      const pair = createECDH('prime256v1');
      const path = `/send/${randomBytes(12).toString('base64url')}`;
      pair.generateKeys();
      const auth = randomBytes(16).toString('base64url');
      const browser = { endpoint: origin + path, p256dh: pair.getPublicKey('base64url'), auth, pair };
      browsers.set(path, browser);
      return browser;
    },
    received: (count) =>
      new Promise((go) => {
        if (requests >= count) go();
        else awaited.push({ count, go });
      }),
    close,
  };
}
