import t from 'tap';
import type { Answer } from '../runtime/post.ts';
import {
  beginEdit,
  type EditEvent,
  type EditState,
  isChanged,
  isFilled,
  reduceEdit,
  shownFaults,
  shownPictureFault,
} from './edit-state.ts';
import type { AnyRecord, Prepa } from './records.ts';

const stored: Prepa = {
  id: 1,
  nom: 'ENS',
  description: 'Le concours.',
  prix: 5000,
  image_url: '/media/a.webp',
  is_published: false,
  version: 3,
};
const failure = 'Erreur lors de la mise à jour de la préparation';
const after = (events: EditEvent[], state = beginEdit('prepa', stored)) => events.reduce(reduceEdit, state);
const typed = (field: string, value: string): EditEvent => ({ type: 'typed', field, value });
const image = new File(['x'], 'image.png');
const refused = (status: number, body: Answer<{ current: AnyRecord }>['body'] = {}): EditEvent => ({
  type: 'refused',
  kind: 'prepa',
  failure,
  answer: { status, ok: false, body },
});

t.test('a fault is shown once the field was left or sent, then updated at every letter', async (t) => {
  const typing = after([typed('nom', 'E')]);
  t.same(shownFaults('prepa', typing), {});
  const left = after([{ type: 'left', field: 'nom' }], typing);
  t.same(shownFaults('prepa', left), { nom: 'Le nom doit contenir au moins 3 caractères' });
  t.same(shownFaults('prepa', after([typed('nom', 'ENA')], left)), {});
  t.same(shownFaults('prepa', after([typed('prix', '0'), { type: 'submitted' }], left)), {
    nom: 'Le nom doit contenir au moins 3 caractères',
    prix: 'Le prix doit être positif',
  });
});

t.test('the button is enabled once every field is filled and a new prepa has a picture', async (t) => {
  const filled = after([typed('nom', 'ENS'), typed('description', 'Le concours.'), typed('prix', '1')], beginEdit('prepa', null));
  t.notOk(isFilled('prepa', true, filled), 'a new prepa without a picture is not complete');
  const pictured = after([{ type: 'picture chosen', file: image, fault: null }], filled);
  t.ok(isFilled('prepa', true, pictured));
  t.notOk(isFilled('prepa', true, after([typed('description', ' \n')], pictured)), 'a blank field counts as empty');
  t.ok(isFilled('prepa', false, filled), 'an edit keeps the stored picture');
  const discipline = after([typed('nom', 'Maths'), typed('description', 'Analyse.')], beginEdit('discipline', null));
  t.ok(isFilled('discipline', true, discipline), 'a discipline needs no picture');
});

t.test('a picture can be refused by the page, refused by the server, or removed', async (t) => {
  const begin = beginEdit('prepa', null);
  const said = (state: EditState) => shownPictureFault('prepa', true, state);
  t.equal(said(begin), undefined);
  const wrong = after([{ type: 'picture chosen', file: image, fault: "L'image dépasse 2 Mo." }], begin);
  t.match(wrong, { image: null });
  t.equal(said(wrong), "L'image dépasse 2 Mo.");
  const right = after([{ type: 'picture chosen', file: image, fault: null }], wrong);
  t.equal(said(right), undefined);
  const unreadable = after([{ type: 'sending' }, refused(400, { imageError: "L'image est illisible." })], right);
  t.match(unreadable, { image, notice: null, busy: false, sent: null });
  t.equal(said(unreadable), "L'image est illisible.");
  const none: EditEvent = { type: 'picture chosen', file: null, fault: null };
  t.equal(said(after([none], unreadable)), "L'image est obligatoire");
  t.equal(shownPictureFault('prepa', false, after([none])), undefined, 'an edit does not need a new picture');
  t.equal(
    shownPictureFault('discipline', true, after([none], beginEdit('discipline', null))),
    undefined,
    'a discipline does not need a picture',
  );
});

t.test('after a conflict unchanged fields get the stored value, changed fields also offer it, and the version is updated', async (t) => {
  const current = { ...stored, nom: 'ENS Yaoundé', description: 'Leur texte.', prix: 7500, image_url: '/media/b.webp', version: 5 };
  const conflict = refused(409, { message: 'Modifiée entre-temps par admin_2.', current });
  const state = after([typed('description', 'Mon texte.'), { type: 'sending' }, conflict]);
  t.same(state.values, { nom: 'ENS Yaoundé', description: 'Mon texte.', prix: '7500' });
  t.same(state.others, { description: 'Leur texte.' });
  t.match(state, { version: 5, stored: '/media/b.webp', pictureChanged: true, busy: false });
  t.same(state.notice, { kind: 'warning', message: 'Modifiée entre-temps par admin_2.' });
  t.ok(isChanged(state), 'closing would still lose the typed text');
  t.notOk(isChanged(after([typed('description', 'Leur texte.')], state)), 'no unsaved change after the other value was taken');

  const again = after([refused(409, { message: 'x', current: { ...current, nom: 'ENS Maroua', version: 6 } })], state);
  t.match(again, { values: { nom: 'ENS Maroua', description: 'Mon texte.' }, version: 6 }, 'a second conflict likewise');
});

t.test('a fault from the server disappears when its field is changed, and a fault of another field is shown in the notice', async (t) => {
  const state = after([refused(400, { message: 'À corriger.', errors: [{ field: 'nom', message: 'Ce nom est déjà pris' }] })]);
  t.same(shownFaults('prepa', state), { nom: 'Ce nom est déjà pris' });
  t.equal(state.notice, null);
  t.same(shownFaults('prepa', after([typed('nom', 'ENS 2')], state)), {});
  const auteur = "L'identifiant de l'administrateur est requis";
  t.match(after([refused(400, { errors: [{ field: 'auteur', message: auteur }] })]).notice, { kind: 'error', message: auteur });
});

t.test('no response, a server error or an ended session keeps the typed values', async (t) => {
  const mine = after([typed('nom', 'Mon nom'), { type: 'picture chosen', file: image, fault: null }, { type: 'sending' }]);
  t.match(mine, { busy: true, sent: 0 });
  const answers: EditEvent[] = [
    { type: 'refused', kind: 'prepa', failure, answer: null },
    refused(500),
    refused(401, { message: 'Finie.' }),
  ];
  for (const event of answers) {
    const state = after([event], mine);
    t.match(state, { values: { nom: 'Mon nom' }, image, busy: false, sent: null, version: 3, notice: { kind: 'error' } });
    t.equal(state.signedOut, event === answers[2]);
    t.match(after([{ type: 'sending' }], state), { notice: null, signedOut: false }, 'the next attempt begins clean');
  }
});
