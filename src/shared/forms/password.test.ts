import t from 'tap';
import { newPasswordSchema } from './password.ts';

const faultOf = (password: string) => newPasswordSchema.safeParse(password).error?.issues.map(({ message }) => message) ?? [];

t.test('a valid password has 8 to 100 characters: the four required kinds, and any others', async (t) => {
  for (const password of [
    'Aa1!aaaa',
    `Aa1!${'a'.repeat(60)}`,
    `Aa1!${'a'.repeat(96)}`,
    'Aa1! mots avec espaces',
    'Éà٣🙂𝔘ßñ汉',
    '  Aa1!  <b>"\'\\%',
  ])
    t.same(faultOf(password), [], password);
  t.same(faultOf('Aa1!aaa'), ['Le mot de passe doit contenir au moins 8 caractères']);
  t.same(faultOf(`Aa1!${'a'.repeat(97)}`), ['Le mot de passe ne doit pas dépasser 100 caractères']);
});
