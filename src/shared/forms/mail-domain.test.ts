import t from 'tap';
import { suggestEmail } from './mail-domain.ts';

t.test('a slip in the domain of an address is corrected to a common domain', async (t) => {
  for (const [domain, meant] of [
    ['gmial.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['gmail.fr', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmailcom', 'gmail.com'],
    ['gamil.cmo', 'gmail.com'],
    ['GMIAL.COM', 'gmail.com'],
    ['yaho.fr', 'yahoo.fr'],
    ['yahoo.rf', 'yahoo.fr'],
    ['yahou.com', 'yahoo.com'],
    ['outlok.com', 'outlook.com'],
    ['outloock.fr', 'outlook.fr'],
    ['hotmial.fr', 'hotmail.fr'],
    ['hotmaill.com', 'hotmail.com'],
    ['iclould.com', 'icloud.com'],
  ] as const)
    t.equal(suggestEmail(`elodie@${domain}`), `elodie@${meant}`, domain);
});

t.test('a known domain, one of another service or country, and an incomplete address stay', async (t) => {
  const stay = ['gmail.com', 'yahoo.fr', 'hotmail.fr', 'outlook.com', 'ymail.com', 'mail.com', 'live.com', 'hotmail.it', 'yahoo.de'];
  for (const domain of [...stay, 'uy1.uninet.cm', 'minesup.gov.cm', 'ecole.cm', 'gmail', ''])
    t.equal(suggestEmail(`elodie@${domain}`), null, domain);
  for (const typed of ['', 'elodie', '@gmial.com', 'gmial.com']) t.equal(suggestEmail(typed), null, typed);
});

t.test('while an address is typed, the beginning of a domain is no slip', async (t) => {
  const seen = [...'elodie@gmail.com'].map((_, index, letters) => suggestEmail(letters.slice(0, index + 1).join(''), { typing: true }));
  t.same(new Set(seen), new Set([null]));
  t.equal(suggestEmail('elodie@gmial.com', { typing: true }), 'elodie@gmail.com');
});

t.test('only the given domains are proposed', async (t) => {
  t.equal(suggestEmail('elodie@gmial.com', { allowed: ['ecole.cm'] }), null);
  t.equal(suggestEmail('elodie@hotmial.fr', { allowed: ['gmail.com', 'yahoo.fr'] }), null);
  t.equal(suggestEmail('elodie@ecoel.cm', { allowed: ['ecole.cm'] }), 'elodie@ecole.cm');
});
