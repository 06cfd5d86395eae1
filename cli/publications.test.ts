import t from 'tap';
import { createTestDatabase } from '../test/support/database.ts';
import { sql } from '../test/support/sql.ts';
import { asRole } from '../test/support/template.ts';
import { runPrepa } from '../test/support/terminal.ts';

t.test('prepa content publish publishes what is due, counts what is refused, and leaves the rest', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { NODE_ENV: 'test', DATA_DIR: t.testdir({}), DATABASE_URL: asRole(url, 'commands') };
  const publish = async (...args: string[]) => {
    const { code, out, error } = await runPrepa(['content', 'publish', ...args], env);
    t.equal(code, 0, error);
    return out;
  };
  const plan = (titre: string, at: string) =>
    sql(
      url,
      `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, publish_at, saved_at, saved_by)
       select nextval('item_id_seq'), id, 'course', $1, '', '', '', '<p>Texte.</p>', ${at}, now(), 'Awa' from discipline`,
      [titre],
    );
  await sql(
    url,
    `insert into prepa (nom, prix, description, is_published, created_at, updated_at) values ('ENS', 15000, '', true, now(), now())`,
  );
  await sql(
    url,
    `insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'Analyse', '', now(), now() from prepa`,
  );
  await plan('Les suites', `now() - interval '1 minute'`);
  await plan('x', `now() - interval '1 minute'`);
  await plan('Les limites', `now() + interval '1 hour'`);
  t.same(JSON.parse(await publish('--json')), { published: 1, refused: 1 });
  t.same(await sql(url, 'select titre, numero_page from item'), [{ titre: 'Les suites', numero_page: 1 }]);
  t.match(await sql(url, 'select titre, publish_at, fault from item_draft order by id'), [
    { titre: 'x', publish_at: null, fault: /titre/i },
    { titre: 'Les limites', publish_at: Date, fault: null },
  ]);
  t.equal(await publish(), '0 brouillon(s) publié(s).\n');
  await sql(url, `update item_draft set publish_at = now() - interval '1 minute'`);
  t.equal(await publish(), "1 brouillon(s) publié(s), 1 refusé(s) : ils restent brouillons, et l'administration dit pourquoi.\n");
});
