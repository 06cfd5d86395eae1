import t, { type Test } from 'tap';
import { openPostOffice } from '../../../test/support/post-office.ts';
import { loadConfig } from '../../config.ts';
import { createLog } from '../observability/log.ts';
import { MailError } from './mailer.ts';
import { openMailer } from './open-mailer.ts';

const letter = {
  to: 'awa@gmail.com',
  subject: "Été, cœur et dîner : l'accès à PrépaConcours est rétabli",
  text: 'Bonjour Awa,\n\n.\n\nVoilà un lien : https://prepa.example/ouvrir?jeton=abc_DEF-123\n',
  html: '<p>Voilà un <a href="https://prepa.example/ouvrir?jeton=abc_DEF-123">lien</a></p>',
};
const address = { PUBLIC_URL: 'https://prepa.example', MAIL_FROM: 'ne-pas-repondre@prepa.example' };

async function open(env: Record<string, string>) {
  const written: string[] = [];
  const log = createLog('info', { write: (line: string) => void written.push(line) });
  const mailer = await openMailer(loadConfig({ NODE_ENV: 'test', ...env }), log);
  return { mailer, written };
}

/** Returns the error for a mail server with these responses. */
async function refusal(t: Test, url: string): Promise<Error> {
  const { mailer } = await open({ ...address, SMTP_URL: url });
  const error = await mailer?.send(letter).catch((failure: unknown) => failure);
  if (!(error instanceof MailError)) throw new Error(`no MailError: ${error}`);
  t.notMatch(`${error.stack}${JSON.stringify(error)}${error.cause}`, /s3cret|facteur|awa@gmail/, 'the error contains no secrets');
  return error;
}

t.test('sends over SMTP: sender, recipient, accents in subject and text, both parts', async (t) => {
  const post = await openPostOffice(t);
  const { mailer, written } = await open({ ...address, SMTP_URL: post.url });
  t.match(await mailer?.check(), /^127\.0\.0\.1:\d+ répond$/);
  await mailer?.send(letter);
  const arrived = await post.next();
  t.match(arrived, { from: 'ne-pas-repondre@prepa.example', to: letter.to, subject: letter.subject });
  t.equal(arrived.text.trim(), letter.text.trim(), 'a line with a single dot does not end the message');
  t.equal(arrived.html.trim(), letter.html);
  t.match(arrived.raw, 'From: =?UTF-8?Q?Pr=C3=A9paConcours?= <ne-pas-repondre@prepa.example>');
  t.same(written, [], 'the sent e-mail is not logged');
});

t.test('no line of an e-mail becomes a header or another recipient', async (t) => {
  const post = await openPostOffice(t);
  const { mailer } = await open({ ...address, SMTP_URL: post.url });
  const lines = '\r\nBcc: autre@gmail.com\r\nRCPT TO:<autre@gmail.com>\r\n.\r\n';
  await mailer?.send({ ...letter, subject: `Objet${lines}`, text: `Texte${lines}` });
  const arrived = await post.next();
  const [head = ''] = arrived.raw.split('\n\n');
  t.notMatch(head, /^(Bcc|RCPT)/m);
  t.equal(post.heard.filter((verb) => verb === 'RCPT').length, 1);
  t.equal(post.arrived(), 1);
});

t.test('the error for a refused e-mail has the code of the mail server, but not its text', async (t) => {
  const refusing = await openPostOffice(t, { answers: { RCPT: '550 5.1.1 <awa@gmail.com> unknown, says facteur' } });
  t.match(
    (await refusal(t, refusing.url)).message,
    /^le serveur de messagerie 127\.0\.0\.1:\d+ n'a pas pris le message \(EENVELOPE 550\)$/,
  );
  const locked = await openPostOffice(t, { answers: { AUTH: '535 5.7.8 s3cret/é is wrong' } });
  t.match((await refusal(t, locked.url)).message, /EAUTH 535/);
  t.match((await refusal(t, 'smtp://facteur:s3cret@127.0.0.1:9')).message, /^le serveur de messagerie 127\.0\.0\.1:9 .+ESOCKET/);
});

t.test('without a mail server, logs the links, except in production', async (t) => {
  const { mailer, written } = await open({});
  await mailer?.send(letter);
  t.equal(written.length, 1);
  t.match(JSON.parse(written[0] ?? ''), { msg: 'letter written, not sent', links: ['https://prepa.example/ouvrir?jeton=abc_DEF-123'] });
  t.notMatch(written[0], 'awa@gmail.com');

  const production = { ...address, NODE_ENV: 'production', DATABASE_URL: 'postgresql://x@localhost/x', ZITOPAY_RECEIVER: 'prepa' };
  t.equal((await open(production)).mailer, null);
});

t.test('a mail server on another machine without TLS gets no e-mail and no password', async (t) => {
  const bare = await openPostOffice(t, { host: '127.0.0.2' });
  t.match((await refusal(t, bare.url)).message, /^le serveur de messagerie 127\.0\.0\.2:\d+ n'a pas pris le message/);
  t.equal(bare.arrived(), 0);
  t.notOk(
    bare.heard.some((verb) => verb === 'AUTH' || verb === 'MAIL'),
    bare.heard.join(', '),
  );
});
