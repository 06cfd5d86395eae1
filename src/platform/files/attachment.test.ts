import t from 'tap';
import { attachment } from './attachment.ts';

/** File names with the ASCII names for programs without RFC 8187. */
const names: Record<string, string> = {
  'Preuve d’économie.pdf': "Preuve d'economie.pdf",
  'Cœur – Œuvre, « Æneis » № 3…pdf': "Coeur - OEuvre, 'AEneis' No 3...pdf",
  'Fiche de révision n°1 – été.pdf': 'Fiche de revision no1 - ete.pdf',
  'Straße, Łódź, Ærø, ﬁn, x², 10\u202f000\u00a0€.pdf': 'Strasse, Lodz, AEro, fin, x2, 10 000 EUR.pdf',
  'Ngɔ́ndɛ̀ ŋ.pdf': 'Ngonde n.pdf',
  'a"b\\c%d.pdf': "a'b_c_d.pdf",
  'Π et Σ.pdf': '_ et _.pdf',
  '数学.pdf': 'Document.pdf',
  'été\u0301\u200b.pdf': 'ete.pdf',
};

t.test('sends an ASCII name and the exact name', async (t) => {
  for (const [name, plain] of Object.entries(names)) {
    const header = attachment(name);
    const [, shown, whole = ''] = /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w.!#$&+^`|~%-]+)$/.exec(header) ?? [];
    t.equal(shown, plain, name);
    t.equal(decodeURIComponent(whole), name, 'the encoded parameter has the exact name');
  }
  t.equal(attachment('a\r\nb\ud800.pdf').includes('\n'), false, 'line breaks are removed');
});
