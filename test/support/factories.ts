import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Discipline, Prepa } from '../../src/modules/catalogue/index.ts';
import { Item, ItemDocument, indexItem, storeQuestions } from '../../src/modules/content/index.ts';
import { Enrolment } from '../../src/modules/enrolment/index.ts';
import { Administrator, AdministratorSession, Session, User } from '../../src/modules/identity/index.ts';
import { Payment, type PaymentStatus } from '../../src/modules/payment/index.ts';
import { dayMs } from '../../src/shared/dates.ts';
import type { AdministratorRole } from '../../src/shared/forms/administrator.ts';
import type { ItemKind } from '../../src/shared/item-kinds.ts';
import { withoutKeys } from '../../src/shared/questions/question-keys.ts';
import type { TestApp } from './app.ts';

type Home = Pick<TestApp, 'kernel' | 'clock'>;

let serial = 0;
const next = () => {
  serial += 1;
  return serial;
};

export interface TestLearner {
  id: string;
  username: string;
  email: string;
  /** A Cookie header with an open session. */
  session: string;
  token: string;
}

/** Creates a learner with an open session. The password is unusable: sign in through the form where a test needs one. */
export async function createLearner({ kernel, clock }: Home): Promise<TestLearner> {
  const number = next();
  const learner = { id: randomUUID(), username: `candidat_${number}`, email: `candidat${number}@gmail.com` };
  const token = randomBytes(20).toString('hex');
  const em = kernel.fork();
  await em.insert(User, { ...learner, passwordHash: 'unusable', createdAt: clock.now() });
  await em.insert(Session, {
    id: createHash('sha256').update(token).digest('hex'),
    user: learner.id,
    expiresAt: new Date(clock.now().getTime() + 30 * dayMs),
    createdAt: clock.now(),
  });
  return { ...learner, token, session: `userToken=${token}` };
}

export interface TestAdministrator extends TestLearner {
  role: AdministratorRole;
}

/** Creates an administrator with an open session of 8 hours. The password is unusable: register through the form where a test needs one. */
export async function createAdministrator({ kernel, clock }: Home, role: AdministratorRole = 'admin'): Promise<TestAdministrator> {
  const number = next();
  const administrator = { id: randomUUID(), username: `admin_${number}`, email: `admin${number}@prepa.example`, role };
  const token = randomBytes(20).toString('hex');
  const em = kernel.fork();
  await em.insert(Administrator, { ...administrator, passwordHash: 'unusable', createdAt: clock.now() });
  await em.insert(AdministratorSession, {
    id: createHash('sha256').update(token).digest('hex'),
    administrator: administrator.id,
    expiresAt: new Date(clock.now().getTime() + dayMs / 3),
    createdAt: clock.now(),
  });
  return { ...administrator, token, session: `adminToken=${token}` };
}

export async function createPrepa(
  { kernel, clock }: Home,
  values: { nom?: string; prix?: number; description?: string; image?: string; isPublished?: boolean } = {},
): Promise<{ id: number; nom: string; prix: number }> {
  const { nom = `Préparation ${next()}`, prix = 15_000, description = 'Pour les concours.', image = null, isPublished = true } = values;
  const now = clock.now();
  const id = await kernel.fork().insert(Prepa, { nom, prix, description, image, isPublished, createdAt: now, updatedAt: now });
  return { id, nom, prix };
}

export async function createDiscipline(home: Home, prepaId?: number): Promise<{ id: number; prepaId: number; nom: string }> {
  const prepa = prepaId ?? (await createPrepa(home)).id;
  const now = home.clock.now();
  const nom = `Discipline ${next()}`;
  const id = await home.kernel.fork().insert(Discipline, { prepa, nom, description: 'Une discipline.', createdAt: now, updatedAt: now });
  return { id, prepaId: prepa, nom };
}

interface ItemValues {
  kind?: ItemKind;
  titre?: string;
  numeroPage?: number;
  contenu?: string;
  corrige?: string | null;
  duree?: number | null;
}

export async function createItem(home: Home, disciplineId: number, values: ItemValues = {}): Promise<{ id: number; titre: string }> {
  const {
    kind = 'course',
    titre = `Titre ${next()}`,
    numeroPage = 1,
    contenu = `<p>Texte ${next()}</p>`,
    corrige = null,
    duree = null,
  } = values;
  const now = home.clock.now();
  const em = home.kernel.fork();
  const { html, keys } = withoutKeys(contenu);
  const id = await em.insert(Item, {
    discipline: disciplineId,
    kind,
    titre,
    numeroPage,
    contenu: html,
    keys,
    corrige,
    annee: kind === 'pastExam' ? 2023 : null,
    duree,
    createdAt: now,
    updatedAt: now,
  });
  await indexItem(em, id);
  await storeQuestions(em, [{ id, keys }]);
  return { id, titre };
}

/** Creates a document of an item, with its file of at least `octets` bytes. */
export async function createDocument(
  { kernel, clock }: Home,
  itemId: number,
  { nom = `Fiche ${next()}`, octets = 0 } = {},
): Promise<{ id: number; nom: string; url: string }> {
  const bytes = Buffer.from(`%PDF-1.4\n% ${nom}\n${' '.repeat(octets)}%%EOF\n`);
  const file = `${createHash('sha256').update(bytes).digest('hex')}.pdf`;
  await kernel.context.documents.write(file, bytes);
  const id = await kernel.fork().insert(ItemDocument, { item: itemId, nom, file, octets: bytes.length, createdAt: clock.now() });
  return { id, nom, url: `/documents/${id}/${encodeURIComponent(nom)}.pdf` };
}

/** Creates a picture in the item's text, whose file ends with `text`. @returns the picture's URL in texts */
export async function createPicture({ kernel, clock }: Home, itemId: number, text: string): Promise<string> {
  const name = `content/${createHash('md5').update(text).digest('hex')}.webp`;
  await kernel.context.files.write(name, Buffer.from(`RIFF\0\0\0\0WEBPVP8 ${text}`));
  const em = kernel.fork();
  await em.execute('insert into content_image (name, uploaded_at) values (?, ?)', [name, clock.now()]);
  await em.execute('insert into item_image (item_id, image_name) values (?, ?)', [itemId, name]);
  await em.execute('update item set contenu = contenu || ? where id = ?', [`<figure><img src="/media/${name}" alt=""></figure>`, itemId]);
  return `/media/${name}`;
}

/** Creates an enrolment that ends in `days` days; a negative value means that it has ended. */
export async function createEnrolment(
  { kernel, clock }: Home,
  learner: { id: string },
  prepa: { id: number; nom: string },
  days = 30,
  statut: 'active' | 'expired' | 'cancelled' = 'active',
): Promise<number> {
  const end = new Date(clock.now().getTime() + days * dayMs);
  return kernel.fork().insert(Enrolment, {
    user: learner.id,
    prepa: prepa.id,
    prepaNom: prepa.nom,
    statut,
    dateInscription: new Date(end.getTime() - 30 * dayMs),
    dateExpiration: end,
  });
}

/** Creates a payment in a state as after the provider's response, without its consequences. */
export async function createPayment(
  { kernel, clock }: Home,
  learner: { id: string },
  prepa: { id: number; nom: string; prix: number },
  status: PaymentStatus,
): Promise<{ id: number; reference: string }> {
  const now = clock.now();
  const reference = `ZP${now.getTime()}${next()}`;
  const id = await kernel.fork().insert(Payment, {
    provider: 'zitopay',
    reference,
    user: learner.id,
    prepa: prepa.id,
    prepaNom: prepa.nom,
    amount: prepa.prix,
    refundedAmount: status === 'refunded' ? prepa.prix : 0,
    currency: 'XAF',
    status,
    checks: 0,
    createdAt: now,
    updatedAt: now,
    settledAt: status === 'succeeded' || status === 'refunded' ? now : null,
  });
  return { id, reference };
}
