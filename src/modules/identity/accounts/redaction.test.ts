import t from 'tap';
import { redactionOf } from './redaction.ts';

t.test('special characters of an e-mail are matched literally', async (t) => {
  const redact = redactionOf({ email: 'awa+ens.(2026)@gmail.com', username: 'awa' });
  t.equal(redact('De awa+ens.(2026)@gmail.com, ou awa%2Bens.(2026)%40gmail.com.'), 'De [effacé], ou [effacé].');
  t.equal(redact('awwa et awaens2026@gmail.com restent'), 'awwa et awaens2026@gmail.com restent');
});
