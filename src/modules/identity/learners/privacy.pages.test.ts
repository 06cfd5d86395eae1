import t from 'tap';
import { asWritten, createTestApp, visit } from '../../../../test/support/app.ts';

t.test('the page names what mock exams, revision and reminders store, who carries the messages, and when it is erased', async (t) => {
  const { app } = await createTestApp(t);
  const text = asWritten((await visit(app, '/confidentialite')).body);
  for (const named of [
    'La date de votre concours et le temps que vous avez par jour',
    'les jours où vous avez étudié',
    'le résultat que vous nous dites',
    'Les navigateurs où vous demandez un rappel',
    'Google, Mozilla, Apple ou Microsoft',
    'effacé quand vous arrêtez les rappels',
    "l'heure de votre début et de votre remise",
    'une empreinte de votre réseau',
  ])
    t.match(text, named);
});
