import t from 'tap';
import { newPasswordSchema } from '../../src/shared/forms/password.ts';
import { passwordRequirements } from './password-requirements.ts';

const samples = [
  '',
  'soleil',
  'SOLEIL-26',
  'soleil-26',
  'Soleil-ab',
  'Soleil2026',
  'Soleil 2026',
  'Soleil-2026',
  'Été-à-Kribi-1',
  'Aa1!',
  'Aa1!aaaa',
  'Aa1éaaaa',
];

t.test('the form accepts a password that meets all requirements', async (t) => {
  for (const password of samples) {
    t.equal(
      passwordRequirements(password).every(({ met }) => met),
      newPasswordSchema.safeParse(password).success,
      password || '(nothing)',
    );
  }
});

t.test('the list has five requirements and shows which are met', async (t) => {
  t.same(
    passwordRequirements('soleil26').filter(({ met }) => !met),
    [
      { label: 'Une majuscule', met: false },
      { label: 'Un caractère spécial', met: false },
    ],
  );
  t.equal(passwordRequirements('').length, 5);
});
