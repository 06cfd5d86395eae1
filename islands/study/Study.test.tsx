import { readFileSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';
import { parseHTML } from 'linkedom';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import { IslandEnvironmentProvider } from '../runtime/context.tsx';
import Study, { type StudyProps } from './Study.tsx';

const full: StudyProps = {
  trial: false,
  keep: null,
  base: '/user/prepa/1/2',
  trail: 'Mathématiques - ENS',
  sections: [
    {
      type: 'course',
      items: [
        { id: 11, titre: 'Suites numériques' },
        { id: 12, titre: 'Limites & continuité' },
        { id: 13, titre: 'Dérivation' },
      ],
    },
    { type: 'exercise', items: [{ id: 31, titre: 'Calculs de limites' }] },
    {
      type: 'pastExam',
      items: [
        { id: 41, titre: 'Sujet principal', annee: 2021 },
        { id: 42, titre: 'Second sujet', annee: 2023 },
      ],
    },
  ],
  current: { type: 'course', id: 12, hasCorrection: false, minutes: 4 },
};
const empty: StudyProps = { ...full, sections: full.sections.map(({ type }) => ({ type, items: [] })), current: null };
const trial: StudyProps = {
  ...full,
  trial: true,
  base: '/user/prepa/consultation/1/2',
  sections: full.sections.map(({ type, items }) => ({
    type,
    items: items.map((item, index) => (index > 0 ? { ...item, locked: true } : item)),
  })),
  current: { type: 'course', id: 11, hasCorrection: false, minutes: 4 },
};

const slots = { contenu: '<h2>Définition</h2>', corrige: '<p>La limite vaut 1.</p>' };
const html = (props: StudyProps): string =>
  renderToString(
    <IslandEnvironmentProvider value={{ slots, element: null }}>
      <Study {...props} />
    </IslandEnvironmentProvider>,
  );
const render = (props: StudyProps): HTMLElement => parseHTML(`<html><body>${html(props)}</body></html>`).document.body;
const at = (type: 'course' | 'exercise' | 'pastExam', id: number, hasCorrection = false): StudyProps => ({
  ...full,
  current: { type, id, hasCorrection, minutes: 4 },
});

const all = (root: ParentNode, selector: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(selector)];
const words = (root: ParentNode, selector: string): (string | null)[] => all(root, selector).map(({ textContent }) => textContent);
const link = ({ attributes }: HTMLElement) =>
  Object.fromEntries([...attributes].filter(({ name }) => name !== 'class').map(({ name, value }) => [name, value]));

t.test('the contents have three sections with their counts, and the current section is open', async (t) => {
  const page = render(full);
  t.same(words(page, '.toc > summary'), ['Cours (3)', 'Exercices & Corrigés (1)', 'Anciens Sujets & Corrigés (2)']);
  t.same(
    all(page, '.toc').map((section) => section.hasAttribute('open')),
    [true, false, false],
  );
  t.same(words(page, '.toc__number'), ['1', '2', '3', '1', '2021', '2023'], 'a past exam is labelled with its year');
  t.same(all(page, '.toc__item').slice(0, 2).map(link), [
    { href: '/user/prepa/1/2?type=course&item=11' },
    { href: '/user/prepa/1/2?type=course&item=12', 'aria-current': 'page' },
  ]);
  t.same(link(all(page, '.toc__item')[5] as HTMLElement), { href: '/user/prepa/1/2?type=pastExam&item=42' });
  t.same(words(page, '.study__toggle span'), ['Menu', 'Masquer']);
  t.equal(
    page.querySelector('.study__toggle')?.nextElementSibling?.className,
    'study__nav',
    'the stylesheet needs the list next to its toggle',
  );
  t.same(
    all(render(at('pastExam', 41)), '.toc').map((section) => section.hasAttribute('open')),
    [false, false, true],
  );
});

t.test('an item has its title, position in the section, text and pager', async (t) => {
  const page = render(full);
  t.same(words(page, 'article[aria-labelledby="study-title"] h2#study-title[tabindex="-1"]'), ['Limites & continuité']);
  t.same(words(page, '.study__page'), ['Page 2 sur 3']);
  t.equal(page.querySelector('.prose')?.innerHTML, '<h2>Définition</h2>');
  t.same(words(page, '.pager > *'), ['Précédent', 'Page 2', 'Suivant']);
  t.same(all(page, '.pager a').map(link), [
    { href: '/user/prepa/1/2?type=course&item=11', rel: 'prev' },
    { href: '/user/prepa/1/2?type=course&item=13', rel: 'next' },
  ]);
  t.match(link(page.querySelector('progress') as HTMLElement), { value: '2', max: '3', 'aria-label': 'Progression' });
});

t.test('the first item has no previous link, the last item no next link', async (t) => {
  const disabled = { role: 'link', 'aria-disabled': 'true' };
  const pager = (props: StudyProps) => all(render(props), '.pager a').map((a) => [a.textContent, link(a)]);
  t.same(pager(at('course', 11)), [
    ['Précédent', disabled],
    ['Suivant', { href: '/user/prepa/1/2?type=course&item=12', rel: 'next' }],
  ]);
  t.same(pager(at('course', 13)), [
    ['Précédent', { href: '/user/prepa/1/2?type=course&item=12', rel: 'prev' }],
    ['Passer aux exercices', { href: '/user/prepa/1/2?type=exercise&item=31' }],
  ]);
  t.same(pager(at('exercise', 31)), [
    ['Précédent', disabled],
    ['Passer aux anciens sujets', { href: '/user/prepa/1/2?type=pastExam&item=41' }],
  ]);
  t.same(pager(at('pastExam', 42))[1], ['Retour aux disciplines', { href: '/user/prepa/1' }]);
  t.same(words(render(at('exercise', 31)), '.study__page'), ['Page 1 sur 1']);
});

t.test('a lesson has its reading time, other items have none', async (t) => {
  t.same(words(render(full), '.study__minutes'), ['4 min de lecture']);
  t.same(words(render(at('exercise', 31)), '.study__minutes'), []);
});

t.test('the options are letter size, colours, the offline copy and the report', async (t) => {
  const options = (props: StudyProps) => words(render(props), '.options button, .options a');
  const choices = ['A− (texte plus petit)', 'A+ (texte plus grand)', 'Clair', 'Sombre', 'Comme le téléphone'];
  const keep = { href: '/user/prepa/1/hors-ligne?discipline=2', label: 'Garder hors ligne' };
  t.same(options({ ...full, keep }), [...choices, 'Garder hors ligne', 'Signaler une erreur']);
  t.same(options(full), [...choices, 'Signaler une erreur']);
});

t.test('a text has a finish button, an exercise with a correction a mark form, a trial neither', async (t) => {
  const forms = (props: StudyProps) =>
    all(render(props), 'article form:not(.options__row)').map((form) => [form.getAttribute('action'), ...words(form, 'button')]);
  const finish = ['/user/prepa/1/2/termine', "J'ai terminé"];
  const mark = ['/user/prepa/1/2/entrainement', 'Réussi', 'À revoir'];
  t.same(forms(full), [finish]);
  t.same(forms(at('exercise', 31)), [finish]);
  t.same(forms(at('exercise', 31, true)), [mark]);
  t.same(forms(at('pastExam', 41, true)), [mark, finish]);
  t.same(forms(trial), []);
  t.same(
    all(render(full), '.study__finish input').map((input) => input.getAttribute('value')),
    ['course', '12'],
  );
});

t.test('an existing correction is in the page, closed', async (t) => {
  const page = render(at('exercise', 31, true));
  t.same(words(page, '.correction > summary span'), ['Voir le corrigé', 'Masquer le corrigé']);
  t.equal(page.querySelector('.correction .prose')?.innerHTML, '<p>La limite vaut 1.</p>');
  t.notOk(page.querySelector('.correction')?.hasAttribute('open'));
  t.notOk(render(at('exercise', 31)).querySelector('.correction'));
});

t.test('an empty discipline and an empty text show a message', async (t) => {
  const page = render(empty);
  t.same(words(page, '.toc > summary'), ['Cours (0)', 'Exercices & Corrigés (0)', 'Anciens Sujets & Corrigés (0)']);
  t.same(words(page, '.toc__empty'), ['Aucun cours disponible', 'Aucun exercice disponible', 'Aucun ancien sujet disponible']);
  t.same(words(page, '.study__main.empty'), ['Sélectionnez un contenu pour commencer']);
  t.notOk(page.querySelector('.pager'));
  t.same(words(render({ ...full, current: null }), '.study__main'), ['Sélectionnez un contenu pour commencer']);
});

t.test('the trial opens the first item of each section', async (t) => {
  const page = render(trial);
  t.same(
    all(page, '.toc__item[href^="/"]').map((item) => item.getAttribute('href')),
    [
      '/user/prepa/consultation/1/2?type=course&item=11',
      '/user/prepa/consultation/1/2?type=exercise&item=31',
      '/user/prepa/consultation/1/2?type=pastExam&item=41',
    ],
  );
  const locked = all(page, '.toc__item--locked');
  t.same(locked.map(link), Array(3).fill({ href: '#acces-limite' }), 'locked items link to the offer');
  t.same(
    locked.map(({ textContent }) => textContent),
    ['2Limites & continuité (verrouillé)', '3Dérivation (verrouillé)', '2023Second sujet (verrouillé)'],
  );
  t.same(all(page, '.toc__item use').map(link), Array(3).fill({ href: '#i-lock' }));
  t.same(words(page, '.study__page'), ['Page 1 sur 3']);
  t.same(
    all(page, '.pager a').map(link),
    [{ role: 'link', 'aria-disabled': 'true' }, { href: '#acces-limite' }],
    'the offer has a link to continue',
  );
});

t.test('the text is in the markup once, without inline scripts or styles', async (t) => {
  const markup = html(at('exercise', 31, true));
  t.equal(markup.split('Définition').length, 2);
  t.notMatch(markup, /style=|<script|<!--/);
});

t.test('every state of the page is valid HTML', async (t) => {
  const rules = JSON.parse(readFileSync(new URL('../../test/support/html-validate.json', import.meta.url), 'utf8'));
  const validator = new HtmlValidate({ root: true, ...rules });
  for (const [name, props] of Object.entries({ full: at('exercise', 31, true), empty, trial })) {
    const page = `<!DOCTYPE html><html lang="fr"><head><title>Page</title></head><body><h1>ENS</h1>${html(props)}</body></html>`;
    const { results } = await validator.validateString(page);
    t.same(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
      [],
      name,
    );
  }
});
