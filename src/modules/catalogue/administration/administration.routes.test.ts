import { basename } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { call, createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem, createPrepa } from '../../../../test/support/factories.ts';
import { picture, upload } from '../../../../test/support/multipart.ts';
import { namesIn } from '../../../../test/support/site-files.ts';
import { sql } from '../../../../test/support/sql.ts';
import { maxImageBytes } from '../../../shared/forms/catalogue.ts';
import { actorOf } from '../../identity/index.ts';
import { createPrepa as createPrepaAs } from './prepa.service.ts';

// Editing of prepas and disciplines by administrators: calls of specification §7, rules and messages of §5.

const site = await createTestApp(t);
const { app } = site;
const administrator = await createAdministrator(site);
const { session } = administrator;
const other = await createAdministrator(site);
const red = await picture('#be0050');
const blue = await picture('#0274d9');

const good = () => ({ nom: 'ENS Yaoundé', description: 'Le concours.', prix: '15000', auteur: administrator.id });
const rows = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(site.databaseUrl, text, values);

async function stored(): Promise<string[]> {
  const folders = ['', 'covers', 'content', '.parts'];
  return (await Promise.all(folders.map((folder) => namesIn(site.kernel.context.files, folder)))).flat().map((name) => basename(name));
}

async function created(t: Test, fields: Record<string, string> = {}, image = red) {
  const answer = await upload(app, { method: 'POST', url: '/api/prepas', fields: { ...good(), ...fields }, image, session });
  t.equal(answer.statusCode, 201, answer.body);
  return answer.json() as { id: number; nom: string; version: number; image_url: string; is_published: boolean };
}

t.test('a prepa is created, unpublished, with its author and its cover', async (t) => {
  const prepa = await created(t);
  t.match(prepa, {
    nom: 'ENS Yaoundé',
    description: 'Le concours.',
    prix: 15000,
    is_published: false,
    auteur: administrator.id,
    version: 1,
  });
  const cover = await visit(app, prepa.image_url);
  t.equal(cover.statusCode, 200);
  const list = (await call(app, { url: '/api/prepas', session })).json() as { id: number }[];
  t.same(list.at(-1), prepa);
  const published = (await call(app, { url: '/api/prepas/published' })).json() as { id: number }[];
  t.notOk(
    published.some(({ id }) => id === prepa.id),
    'visitors do not see an unpublished prepa',
  );
  t.equal((await call(app, { url: `/api/prepas/${prepa.id}` })).statusCode, 404);
  t.equal((await call(app, { url: `/api/prepas/${prepa.id}`, session })).statusCode, 200, 'administrators see an unpublished prepa');
});

t.test('a cover is drawn from the name, and stored as any upload', async (t) => {
  const draw = async (nom: string) => {
    const answer = await app.inject({ url: `/api/prepas/couverture?nom=${encodeURIComponent(nom)}`, headers: { cookie: session } });
    t.match(answer, { statusCode: 200, headers: { 'content-type': 'image/png' } }, nom);
    return answer.rawPayload;
  };
  const drawn = await draw("Concours d'entrée <à> l'ENS & Cie");
  t.match(await sharp(drawn).metadata(), { format: 'png', width: 1200, height: 675 });
  t.same(await draw("  Concours d'entrée <à> l'ENS & Cie "), drawn, 'the same name gives the same picture');
  t.ok(drawn.length < maxImageBytes / 10);
  // Share of white pixels at the left of the lower half, where the name stands.
  const white = async (png: Buffer) => {
    const name = sharp(png).removeAlpha().extract({ left: 80, top: 380, width: 500, height: 220 }).greyscale().threshold(250);
    const { channels } = await sharp(await name.png().toBuffer()).stats();
    return (channels[0]?.mean ?? 0) / 255;
  };
  t.ok((await white(drawn)) > 0.05, 'the name is written');
  t.ok((await white(await draw('ENS'))) < 0.01, 'the initials are enough for a name that equals them');
  for (const nom of ['W'.repeat(150), `${'mot '.repeat(37)}`, 'ɛ́ŋ 日本 😀'])
    t.match(await sharp(await draw(nom)).metadata(), { width: 1200, height: 675 }, nom);
  const prepa = await created(t, {}, drawn);
  t.equal((await visit(app, prepa.image_url)).statusCode, 200);
  for (const query of ['', '?nom=', '?nom=ab', `?nom=${'x'.repeat(151)}`, '?nom=a%00bc']) {
    const refused = await call(app, { url: `/api/prepas/couverture${query}`, session });
    t.match(refused, { statusCode: 400 }, query);
    t.match(refused.json(), { errors: [{ field: 'nom', message: String }] }, query);
  }
});

t.test('all faults of a prepa are reported at once, each at its field', async (t) => {
  const refused = async (fields: Record<string, string>, image: Buffer | null = red) => {
    const answer = await upload(app, { method: 'POST', url: '/api/prepas', fields, image, session });
    t.equal(answer.statusCode, 400, answer.body);
    const { errors = [], imageError } = answer.json() as { errors?: { field: string; message: string }[]; imageError?: string };
    return { ...Object.fromEntries(errors.map(({ field, message }) => [field, message])), ...(imageError ? { imageError } : {}) };
  };
  t.same(await refused({}, null), {
    nom: 'Le nom est requis',
    description: 'La description est requise',
    prix: 'Le prix est requis',
    auteur: "L'identifiant de l'administrateur est requis",
    imageError: "L'image est obligatoire",
  });
  t.same(await refused({ ...good(), nom: ' EN ' }), { nom: 'Le nom doit contenir au moins 3 caractères' });
  for (const nom of ['   ', '\u200b\u200b\u200b\u200b', '\u00a0\u202f\u2007'])
    t.same(await refused({ ...good(), nom }), { nom: 'Le nom est requis' });
  t.same(await refused({ ...good(), description: ' \n' }), { description: 'La description est requise' });
  for (const prix of ['0', '-5']) t.same(await refused({ ...good(), prix }), { prix: 'Le prix doit être positif' }, prix);
  for (const prix of ['abc', '1e9', '0x10', '15 000 F', '12.5', '15.000'])
    t.same(await refused({ ...good(), prix }), { prix: 'Le prix doit être un nombre entier, en XAF' }, prix);
  t.same(await refused({ ...good(), prix: '99999999999999999999' }), { prix: 'Le prix ne doit pas dépasser 10 000 000 XAF' });
  t.same(await refused({ ...good(), auteur: other.id }), { auteur: "L'auteur doit être l'administrateur connecté" });
  t.same(await refused({ ...good(), nom: 'a\u0000bc' }), { nom: 'Ce texte contient des caractères qui ne peuvent pas être enregistrés' });
  t.same(await refused(good(), Buffer.from('GIF89a')), { imageError: "L'image doit être au format JPG ou PNG." });
});

t.test('an edit changes only the sent fields and removes a replaced cover, unless another row shows it', async (t) => {
  const before = await stored();
  const first = await created(t, {}, await picture('#123456'));
  const second = await created(t, {}, await picture('#123456'));
  t.equal(first.image_url, second.image_url, 'the same picture is stored once');
  t.equal((await stored()).length, before.length + 3);
  const edit = (id: number, image: Buffer | null) =>
    upload(app, { method: 'PUT', url: `/api/prepas/${id}`, fields: { nom: 'ENAM', description: 'Autre.', prix: '20000' }, image, session });

  const renamed = await edit(first.id, null);
  t.match(renamed.json(), { nom: 'ENAM', description: 'Autre.', prix: 20000, version: 2, image_url: first.image_url });
  const repainted = await edit(first.id, await picture('#654321'));
  t.not(repainted.json().image_url, first.image_url);
  t.equal((await visit(app, second.image_url)).statusCode, 200, 'the cover stays while another prepa shows it');
  await edit(second.id, await picture('#654321'));
  t.equal((await visit(app, second.image_url)).statusCode, 404, 'the cover is removed once no prepa shows it');
  t.equal((await stored()).length, before.length + 3);
});

t.test('an outdated edit is refused with the current values, and overwrites nothing', async (t) => {
  const { id } = await created(t);
  const edit = (nom: string, version: string, session: string, image: Buffer | null = null) =>
    upload(app, { method: 'PUT', url: `/api/prepas/${id}`, fields: { ...good(), nom, version }, image, session });
  t.equal((await edit('Le premier', '1', other.session)).statusCode, 200);
  // Publishing creates no new version, so it is not named as the cause of the conflict.
  await call(app, { method: 'PUT', url: `/api/prepas/${id}/toggle-publish`, session });
  const files = await stored();
  const late = await edit('Le second', '1', session, await picture('#00ff00'));
  t.equal(late.statusCode, 409);
  t.match(late.json(), { changedBy: other.username, current: { id, nom: 'Le premier', version: 2 } });
  t.match(late.json().message, `modifiée entre-temps par ${other.username}. Rien n'a été enregistré`);
  t.equal((await call(app, { url: `/api/prepas/${id}`, session })).json().nom, 'Le premier');
  t.same(await stored(), files, 'the cover of the refused edit is not stored');
  t.equal((await edit('Le second', '2', session)).json().nom, 'Le second', 'an edit with the current version is accepted');
  t.equal((await edit('Sans version', '', session)).json().nom, 'Sans version', 'an edit without a version overwrites the row');
  const history = await rows<{ before: { nom: string } }>(
    `select before from audit_entry where subject = 'prepa' and subject_id = $1 and action = 'updated' order by id`,
    [String(id)],
  );
  t.same(
    history.map(({ before }) => before.nom),
    ['ENS Yaoundé', 'Le premier', 'Le second'],
    'the audit log has the earlier values',
  );
});

t.test('names are one visible line, and line ends count as one character and cause no new version', async (t) => {
  for (const nom of ['deux\nlignes', 'ab\u009b31mRouge', '\u034f\u034f\u034f\u034f', 'gauche\u202edroite']) {
    const answer = await upload(app, { method: 'POST', url: '/api/prepas', fields: { ...good(), nom }, image: red, session });
    t.match(
      answer.json().errors,
      [{ field: 'nom', message: 'Ce texte contient des caractères qui ne peuvent pas être enregistrés' }],
      JSON.stringify(nom),
    );
  }
  const prepa = await created(t);
  const description = `${'x'.repeat(248)}\n\n${'y'.repeat(250)}`;
  const fields = { nom: 'Maths', description: description.replaceAll('\n', '\r\n'), prepa_concours_id: String(prepa.id) };
  const discipline = await upload(app, { method: 'POST', url: '/api/disciplines', fields, session });
  t.equal(discipline.statusCode, 201, discipline.body);
  t.equal(discipline.json().description, description);
  const again = await upload(app, { method: 'PUT', url: `/api/disciplines/${discipline.json().id}`, fields, session });
  t.equal(again.json().version, 1, 'the second save creates no version');
});

t.test('an administrator disabled during an upload changes nothing', async (t) => {
  const editor = await createAdministrator(site);
  const files = await stored();
  await rows('update administrator set disabled_at = now() where id = $1', [editor.id]);
  const form = { fields: { ...good(), nom: 'Trop tard', auteur: editor.id }, image: await picture('#abcdef') };
  await t.rejects(createPrepaAs(site.kernel.fork(), site.kernel.context, actorOf(editor), form), /Session expirée/);
  t.same(await rows("select id from prepa where nom = 'Trop tard'"), []);
  t.same(await stored(), files);
});

t.test('after 21 concurrent toggles the state is inverted, and list, database and landing page agree', async (t) => {
  const { id } = await created(t, { nom: 'Bascule parallèle' });
  const answers = await Promise.all(
    Array.from({ length: 21 }, () => call(app, { method: 'PUT', url: `/api/prepas/${id}/toggle-publish`, session })),
  );
  t.ok(answers.every(({ statusCode }) => statusCode === 200));
  const said = answers.map((answer) => answer.json() as { is_published: boolean; message: string });
  t.equal(said.filter((answer) => answer.is_published).length, 11);
  for (const { is_published, message } of said)
    t.equal(message, is_published ? 'La préparation est publiée.' : "La préparation n'est plus publiée.");
  t.same(await rows('select is_published from prepa where id = $1', [id]), [{ is_published: true }]);
  t.match(
    (await call(app, { url: '/api/prepas', session })).json().find((prepa: { id: number }) => prepa.id === id),
    { is_published: true },
  );
  t.match((await visit(app, '/')).body, 'Bascule parallèle');
});

t.test('disciplines: rules, edit, conflict', async (t) => {
  const prepa = await created(t);
  const send = (method: 'POST' | 'PUT', url: string, fields: Record<string, string>, image: Buffer | null = null) =>
    upload(app, { method, url, fields, image, session });
  const refused = async (fields: Record<string, string>) => {
    const answer = await send('POST', '/api/disciplines', {
      nom: 'Maths',
      description: 'Algèbre.',
      prepa_concours_id: String(prepa.id),
      ...fields,
    });
    t.equal(answer.statusCode, 400);
    return answer.json().errors;
  };
  t.same(await refused({ nom: '' }), [{ field: 'nom', message: 'Le nom de la discipline est requis' }]);
  t.same(await refused({ nom: 'ab' }), [{ field: 'nom', message: 'Le nom doit contenir au moins 3 caractères' }]);
  t.same(await refused({ nom: 'x'.repeat(101) }), [{ field: 'nom', message: 'Le nom ne doit pas dépasser 100 caractères' }]);
  t.same(await refused({ description: ' ' }), [{ field: 'description', message: 'La description de la discipline est requise' }]);
  t.same(await refused({ description: 'x'.repeat(501) }), [
    { field: 'description', message: 'La description ne doit pas dépasser 500 caractères' },
  ]);
  for (const id of ['999999', 'abc', ''])
    t.same(await refused({ prepa_concours_id: id }), [
      { field: 'prepa_concours_id', message: "Cette préparation n'existe pas ou n'existe plus" },
    ]);

  const fields = { nom: 'Maths', description: 'Algèbre.', prepa_concours_id: String(prepa.id) };
  const answer = await send('POST', '/api/disciplines', fields);
  t.equal(answer.statusCode, 201);
  const discipline = answer.json() as { id: number };
  t.match(discipline, { nom: 'Maths', image_url: null, prepa_concours_id: prepa.id, version: 1 });
  t.same((await call(app, { url: `/api/prepas/${prepa.id}/disciplines`, session })).json(), [discipline]);
  t.same(
    (await call(app, { url: `/api/disciplines?prepa_concours_id=${prepa.id}` })).json(),
    [],
    'visitors get no discipline of an unpublished prepa',
  );

  const edited = await send('PUT', `/api/disciplines/${discipline.id}`, { ...fields, nom: 'Physique', version: '1' }, blue);
  t.match(edited.json(), { nom: 'Physique', version: 2, image_url: /^\/media\/covers\// });
  const late = await send('PUT', `/api/disciplines/${discipline.id}`, { ...fields, nom: 'Chimie', version: '1' });
  t.equal(late.statusCode, 409);
  t.match(late.json(), { current: { nom: 'Physique', version: 2 }, changedBy: administrator.username });
});

t.test('deleting a prepa deletes its contents and files, and the audit log keeps the deleted records', async (t) => {
  const files = await stored();
  const prepa = await created(t, { nom: 'À supprimer' }, await picture('#111111'));
  const discipline = await createDiscipline(site, prepa.id);
  await createItem(site, discipline.id, { titre: 'Leçon perdue', contenu: '<p>Texte perdu</p>' });
  const fields = { nom: 'Avec image', description: 'x', prepa_concours_id: String(prepa.id) };
  await upload(app, { method: 'POST', url: '/api/disciplines', fields, image: await picture('#222222'), session });
  t.equal((await stored()).length, files.length + 6);

  const answer = await call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session });
  t.same([answer.statusCode, answer.json()], [200, { message: 'Préparation supprimée avec succès' }]);
  t.same(await rows('select id from discipline where prepa_id = $1', [prepa.id]), []);
  t.same(await rows('select id from item where discipline_id = $1', [discipline.id]), []);
  t.same((await stored()).sort(), files.sort());
  const kept = await rows<{ subject: string; label: string; before: Record<string, unknown>; actor: string }>(
    `select subject, label, before, actor from audit_entry where action = 'deleted' order by id`,
  );
  t.same(
    kept.map(({ subject, label }) => [subject, label]),
    [
      ['course', 'Leçon perdue'],
      ['discipline', discipline.nom],
      ['discipline', 'Avec image'],
      ['prepa', 'À supprimer'],
    ],
  );
  t.match(kept[0]?.before, { contenu: '<p>Texte perdu</p>' });
  t.ok(kept.every(({ actor }) => actor === administrator.username));
  t.equal((await call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session })).statusCode, 404);
});

t.test('deleted rows give a French 404 for every call', async (t) => {
  const { id } = await createPrepa(site);
  await call(app, { method: 'DELETE', url: `/api/prepas/${id}`, session });
  const answers = [
    await upload(app, { method: 'PUT', url: `/api/prepas/${id}`, fields: good(), session }),
    await call(app, { method: 'PUT', url: `/api/prepas/${id}/toggle-publish`, session }),
    await upload(app, { method: 'PUT', url: '/api/disciplines/999999', fields: { nom: 'Maths', description: 'x' }, session }),
    await call(app, { method: 'DELETE', url: '/api/disciplines/999999', session }),
  ];
  for (const answer of answers) {
    t.equal(answer.statusCode, 404);
    t.match(answer.json().message, /n'existe pas ou n'existe plus/);
  }
});

t.test('a prepa deleted during uploads of discipline covers leaves no file behind', async (t) => {
  const files = (await stored()).sort();
  for (let round = 0; round < 5; round += 1) {
    const prepa = await created(t, {}, await picture('#777777'));
    const fields = { nom: 'Maths', description: 'x', prepa_concours_id: String(prepa.id) };
    const made = await Promise.all([1, 2, 3].map(() => upload(app, { method: 'POST', url: '/api/disciplines', fields, session })));
    const edits = made.map(async (answer, index) =>
      upload(app, {
        method: 'PUT',
        url: `/api/disciplines/${answer.json().id}`,
        fields,
        image: await picture(`#${round}${index}4455`),
        session,
      }),
    );
    await edits[round % 3];
    await Promise.all([...edits, call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session })]);
  }
  t.same((await stored()).sort(), files);
});
