import t from 'tap';
import { MailError } from '../src/platform/mail/mailer.ts';
import { explain } from './failure.ts';

t.test('an unreachable mail server is not reported as an unreachable database', async (t) => {
  for (const code of ['ETIMEDOUT', 'ESOCKET', null])
    t.equal(explain(new MailError('mail.example:465 ne répond pas', code)), 'mail.example:465 ne répond pas');
});

t.test('the caller names the database and its setting', async (t) => {
  const replica = { database: 'La réplique', address: 'DATABASE_REPLICA_URLS' };
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  t.equal(explain(away), 'La base de données est injoignable : vérifiez DATABASE_URL.');
  t.equal(explain(away, replica), 'La réplique est injoignable : vérifiez DATABASE_REPLICA_URLS.');
  const stranger = Object.assign(new Error('self-signed'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
  t.match(explain(stranger, replica), /sslrootcert dans DATABASE_REPLICA_URLS\.$/);
});
