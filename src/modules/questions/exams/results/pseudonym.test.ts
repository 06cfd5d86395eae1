import t from 'tap';
import { pseudonymFault, tidyName } from './pseudonym.ts';

const fault = (typed: string) => pseudonymFault(tidyName(typed));

t.test('names in Latin letters can be listed, in one form', async (t) => {
  for (const name of ["L'aigle du Moungo", 'Élève 2026', 'Zoé-Ngon a Eton', 'M. Ɓàŋ', 'Ŋgɔ']) t.equal(fault(name), null, name);
  t.equal(fault('E\u0301le\u0300ve'), null, 'accents that compose');
  t.equal(tidyName(' L’aigle \u00a0 E\u0301tude '), "L'aigle Étude");
});

t.test('names that are invisible, look like others or cannot be read are refused', async (t) => {
  const names = {
    'a Hangul filler': '\u3164\u3164\u3164',
    'a filler between letters': 'Ad\u3164a',
    'a variation selector': 'Ada\ufe0f',
    'a supplementary variation selector': 'Ada\u{e0101}',
    'a zero-width joiner': 'Ad\u200da',
    'a soft hyphen': 'Ad\u00ada',
    'stacked accents': 'a\u0335\u0336\u0337da',
    'an accent that does not compose': 'Adq\u0301',
    'Cyrillic letters': '\u0410\u0434\u0430',
    'one Cyrillic letter': 'Ad\u0430',
    'Greek letters': 'Αδα',
    'Arabic digits': 'Ada ٣٤',
    'a direction mark': '\u202eAda',
    'a lone surrogate': 'Ada\ud800',
    emoji: 'Ada 😀',
    'wide letters': 'Ａda',
    underscore: 'Ada_Eba',
    'one letter': 'a 123',
    'no letter': '12345',
    dots: '...',
  };
  for (const [what, name] of Object.entries(names)) t.type(fault(name), 'string', what);
});
