import { Item } from '../../../src/modules/content/index.ts';
import { dayMs } from '../../../src/shared/dates.ts';
import { createDiscipline, createDocument, createEnrolment, createItem, createPayment, createPicture, createPrepa } from '../factories.ts';
import { sql } from '../sql.ts';
import type { Marks } from './marks.ts';
import { type Home, type Name, type Person, sha256 } from './people.ts';

type People = Record<Name, Person>;

interface Planting {
  home: Home;
  marks: Marks;
  people: People;
}

/** Creates catalogue, payments and texts with a mark in each: three prepas, one of them unpublished and one without enrolments. */
export async function plantSite(planting: Planting): Promise<void> {
  const { home, people } = planting;
  const open = await plantPrepa(planting, 'the first prepa', true);
  const hidden = await plantPrepa(planting, 'the unpublished prepa', false);
  const never = await plantPrepa(planting, 'the prepa of nobody', true);
  await createEnrolment(home, people.amina, open);
  await createEnrolment(home, people.amina, hidden);
  await createEnrolment(home, people.chantal, open, -3);
  await plantPayments(planting, [open, hidden, never]);
  for (const name of ['amina', 'bruno', 'chantal'] as const) await plantLearnersOwn(planting, people[name], open.items);
  await plantAdministration(planting);
}

interface PlantedPrepa {
  id: number;
  nom: string;
  prix: number;
  items: number[];
}

async function plantPrepa({ home, marks }: Planting, about: string, isPublished: boolean): Promise<PlantedPrepa> {
  const mark = (what: string) => marks.make(`${what} of ${about}`, 'content');
  const prepa = await createPrepa(home, {
    nom: `Concours ${mark('the name')}`,
    description: `Pour les candidats ${mark('the description')}.`,
    isPublished,
  });
  const items: number[] = [];
  for (const number of [1, 2]) {
    const discipline = await createDiscipline(home, prepa.id);
    await sql(home.databaseUrl, 'update discipline set nom = $2, description = $3 where id = $1', [
      discipline.id,
      `Droit ${mark(`the name of discipline ${number}`)}`,
      `Cours ${mark(`the description of discipline ${number}`)}`,
    ]);
    for (const kind of ['course', 'exercise', 'pastExam'] as const) {
      for (const numeroPage of number === 1 ? [1, 2, 3] : [1, 2]) {
        const name = `${kind} ${numeroPage} of discipline ${number}`;
        const item = await createItem(home, discipline.id, {
          kind,
          numeroPage,
          titre: `Sujet ${mark(`the title of ${name}`)}`,
          contenu: `<p>Un texte ${mark(`the text of ${name}`)} à lire.</p>`,
          corrige: kind === 'course' ? null : `<p>La réponse ${mark(`the correction of ${name}`)}.</p>`,
          duree: kind === 'course' ? null : 60,
        });
        items.push(item.id);
        if (numeroPage < 3 && kind === 'course') await createDocument(home, item.id, { nom: `Fiche ${mark(`the document of ${name}`)}` });
        await createPicture(home, item.id, mark(`the picture of ${name}`));
        await plantVersion({ home, marks }, item.id, name);
      }
    }
  }
  return { ...prepa, items };
}

/** Adds an earlier version of an item, which only administrators may see until one of them restores it. */
async function plantVersion({ home, marks }: Pick<Planting, 'home' | 'marks'>, item: number, name: string): Promise<void> {
  const text = `<p>Ancien ${marks.make(`an earlier text of ${name}`, 'content')}.</p>`;
  await home.kernel.fork().nativeUpdate(Item, { id: item }, { version: 2 });
  await sql(
    home.databaseUrl,
    `insert into item_version (item_id, version, titre, annee, duree, contenu, corrige, saved_at, saved_by)
     select id, 1, titre, annee, duree, $2, corrige, now(), 'ines' from item where id = $1`,
    [item, text],
  );
}

async function plantPayments({ home, marks, people }: Planting, [open, hidden, never]: PlantedPrepa[]): Promise<void> {
  const plans = [
    [people.amina, open, 'succeeded'],
    [people.amina, hidden, 'refunded'],
    [people.amina, never, 'pending'],
    [people.bruno, open, 'pending'],
    [people.bruno, never, 'failed'],
    [people.chantal, open, 'review'],
  ] as const;
  for (const [learner, prepa, status] of plans) {
    if (!prepa) continue;
    const about = `a payment of ${learner.name}`;
    const mark = (what: string) => marks.make(`${what} of ${about}`, { owner: learner.id, staff: 'superAdmin' });
    const { id } = await createPayment(home, learner, prepa, status);
    await sql(
      home.databaseUrl,
      `update payment set reference = $2, prepa_nom = $3, provider_transaction_id = $4, method = 'momo', payer_phone_last = '1562' where id = $1`,
      [id, `ZP${mark('the reference')}`, `Prépa ${mark('the copied name')}`, `T${mark('the transaction')}`],
    );
    const staff = (what: string) => marks.make(`${what} of ${about}`, { staff: 'superAdmin' });
    await sql(
      home.databaseUrl,
      `insert into payment_event (payment_id, type, actor, detail, at) values ($1, 'verification', 'reconciliation', $2, now())`,
      [id, { kind: 'failed', amount: prepa.prix, reason: staff('the story'), answer: { status: 'complete' } }],
    );
    await sql(
      home.databaseUrl,
      `insert into payment_notification (provider, payment_id, content_type, body, headers, received_at)
       values ('zitopay', $1, 'application/json', convert_to($2, 'UTF8'), '{}', now())`,
      [id, JSON.stringify({ note: staff('a notification') })],
    );
  }
}

/** Creates a learner's notifications and texts. */
async function plantLearnersOwn({ home, marks }: Planting, learner: Person, items: number[]): Promise<void> {
  const own = (what: string, staff?: 'admin') => marks.make(`${what} of ${learner.name}`, { owner: learner.id, ...(staff && { staff }) });
  const run = (text: string, ...values: unknown[]) => sql(home.databaseUrl, text, [learner.id, ...values]);
  for (const read of [false, true])
    await run(
      'insert into notification (user_id, message, lu, date_creation) values ($1, $2, $3, now())',
      `Bonjour ${own('a notification')}`,
      read,
    );
  await run(
    'insert into notification (user_id, message, date_creation, deleted_at) values ($1, $2, now(), now())',
    `Bonjour ${marks.make(`a deleted notification of ${learner.name}`, 'nobody')}`,
  );
  for (const answer of [null, `Merci ${own('the answer to a report', 'admin')}`])
    await run(
      `insert into item_report (user_id, item_id, kind, place, message, answer, created_at, closed_at)
       values ($1, $2, 'texte', $3, $4, $5::text, now(), case when $5::text is null then null else now() end)`,
      items[answer === null ? 0 : 1],
      `Ligne ${own('the place of a report', 'admin')}`,
      `Il manque ${own('a report', 'admin')}`,
      answer,
    );
  await run(`insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, 'a_revoir', now())`, items[1]);
  await run('insert into item_reading (user_id, item_id, read_at) values ($1, $2, now())', items[0]);
  await run(
    'insert into password_reset (id, user_id, created_at, expires_at) values ($2, $1, now(), $3)',
    marks.add(sha256(`reset ${learner.name}`), `a reset of ${learner.name}`, 'nobody'),
    new Date(home.clock.now().getTime() + dayMs),
  );
}

async function plantAdministration({ home, marks, people }: Planting): Promise<void> {
  const secret = (text: string) => marks.add(sha256(text), `an administration key (${text})`, 'nobody');
  for (const role of ['admin', 'super_admin'])
    await sql(
      home.databaseUrl,
      'insert into administration_keys (role, first_hash, second_hash, issued_by_id, created_at, expires_at) values ($1, $2, $3, $4, now(), $5)',
      [role, secret(`first ${role}`), secret(`second ${role}`), people.odile.id, new Date(home.clock.now().getTime() + 3 * dayMs)],
    );
  const noted = (what: string) => marks.make(`${what} of the journal`, { staff: 'superAdmin' });
  for (const subject of ['prepa', 'administrator', 'payment'])
    await sql(
      home.databaseUrl,
      `insert into audit_entry (at, administrator_id, actor, action, subject, subject_id, label, before, after)
       values (now(), $1, 'odile', 'updated', $2, '1', $3, $4, $5)`,
      [people.odile.id, subject, noted('a label'), { nom: noted('what was') }, { nom: noted('what is') }],
    );
}
