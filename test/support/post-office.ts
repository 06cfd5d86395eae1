import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';

/** A received e-mail. */
export interface Arrived {
  from: string;
  to: string;
  /** The raw message, headers and body. */
  raw: string;
  subject: string;
  text: string;
  html: string;
}

export interface PostOffice {
  /** URL for the settings: smtp://user:password@127.0.0.1:port. */
  url: string;
  /** Waits for the next e-mail that was not yet returned. */
  next(): Promise<Arrived>;
  /** Returns the number of e-mails received. */
  arrived(): number;
  /** Returns the received e-mails. */
  letters(): readonly Arrived[];
  /** Waits until so many e-mails have arrived. */
  received(count: number): Promise<void>;
  /** Received SMTP commands, without their arguments. */
  heard: readonly string[];
}

interface Manners {
  /** Replies that replace the usual ones, by command, for example { RCPT: '550 inconnu' }. */
  answers?: Record<string, string>;
  /** Breaks off after this command: `DATA` after the message, without a reply. */
  breaksAfter?: 'DATA';
  /** Another local address, which the settings treat as another machine's. */
  host?: string;
  /** Port to listen on; by default a free one. */
  port?: number;
}

/** Starts a minimal SMTP server, closed with the test. */
export async function openPostOffice(
  t: Test,
  { answers = {}, breaksAfter, host = '127.0.0.1', port: at = 0 }: Manners = {},
): Promise<PostOffice> {
  const letters: Arrived[] = [];
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const awaited: { count: number; go(): void }[] = [];
  let fetched = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    const deliver = (letter: Arrived) => {
      letters.push(letter);
      if (breaksAfter === 'DATA') socket.destroy();
      server.emit('letter');
      for (const { count, go } of awaited) if (letters.length === count) go();
    };
    // A client that was killed has reset its connection.
    serve(socket, answers, deliver, (verb) => heard.push(verb)).catch(() => {});
  });
  server.listen(at, host);
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://facteur:${encodeURIComponent('s3cret/é')}@${host}:${port}`,
    heard,
    arrived: () => letters.length,
    letters: () => letters,
    received: (count) =>
      new Promise((go) => {
        if (letters.length >= count) go();
        else awaited.push({ count, go });
      }),
    async next() {
      if (letters.length <= fetched) await once(server, 'letter', { signal: AbortSignal.timeout(15_000) });
      fetched += 1;
      return letters[fetched - 1] as Arrived;
    },
  };
}

async function serve(
  socket: Socket,
  answers: Record<string, string>,
  deliver: (letter: Arrived) => void,
  hear: (verb: string) => void,
): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  const usual: Record<string, string> = {
    EHLO: '250-post\r\n250-8BITMIME\r\n250 AUTH PLAIN',
    AUTH: '235 2.7.0 ok',
    DATA: '354 go on',
    QUIT: '221 bye',
  };
  let envelope = { from: '', to: '' };
  let lines: string[] | null = null;
  say('220 post ready');
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (lines && line !== '.') lines.push(line.replace(/^\.\./, '.'));
    else if (lines) {
      deliver({ ...envelope, ...readLetter(lines.join('\n')) });
      lines = null;
      say('250 taken');
    } else {
      const [verb = ''] = line.toUpperCase().split(/[ :]/);
      hear(verb);
      const address = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'MAIL') envelope = { from: address, to: '' };
      if (verb === 'RCPT') envelope.to = address;
      const said = answers[verb] ?? usual[verb] ?? '250 ok';
      if (said.startsWith('354')) lines = [];
      say(said);
    }
  }
}

/** Returns the parts of a message with plain text and HTML that a mail program would show. */
function readLetter(raw: string): Omit<Arrived, 'from' | 'to'> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  const parts = raw.split(`--${boundary}`);
  const part = (type: string) => decodePart(parts.find((text) => text.trimStart().startsWith(`Content-Type: ${type}`)) ?? '');
  const subject = /^Subject: (.*(?:\n[ \t].*)*)/m.exec(raw)?.[1] ?? '';
  return { raw, subject: decodeWords(subject), text: part('text/plain'), html: part('text/html') };
}

function decodePart(part: string): string {
  const [head = '', ...body] = part.trimStart().split('\n\n');
  const text = body.join('\n\n');
  if (/encoding: base64/i.test(head)) return Buffer.from(text, 'base64').toString();
  if (/encoding: quoted-printable/i.test(head)) return unquote(text.replaceAll(/=\n/g, ''));
  return text;
}

const unquote = (text: string): string =>
  text.replaceAll(/(?:=[\dA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());

/** Decodes RFC 2047 words: `=?UTF-8?Q?Pr=C3=A9pa?=`. */
const decodeWords = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : unquote(text.replaceAll('_', ' ')),
    );
