import t from 'tap';
import { disciplineSchema, prepaSchema } from './catalogue.ts';
import { parseForm } from './field-errors.ts';

const description = 'Deux\u00a0mots';
const faults = (schema: typeof prepaSchema | typeof disciplineSchema, nom: string) =>
  parseForm<unknown>(schema, { nom, description, prix: '15\u202f000' }).errors?.map(({ message }) => message) ?? [];

t.test('non-breaking spaces in a name become ordinary spaces', async (t) => {
  for (const schema of [prepaSchema, disciplineSchema]) {
    t.match(schema.parse({ nom: '\u202fENS\u00a0: sciences\u200b', description, prix: '15\u202f000' }), {
      nom: 'ENS : sciences',
      description,
    });
    t.same(faults(schema, '\u00a0ab\u202f'), ['Le nom doit contenir au moins 3 caractères']);
    t.same(faults(schema, '\u00a0\u2007\u200b').length, 1);
  }
});
