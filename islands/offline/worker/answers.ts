import type { OutboxEntry } from '../../../src/shared/offline/offline-copy.ts';
import { openCopy, readableCopies } from '../access.ts';
import { note } from '../outbox.ts';
import { shellPath } from '../store/files.ts';
import { ignore } from '../store/ignore.ts';
import { marksOf } from '../store/marks.ts';
import type { StoredItem } from '../store/records.ts';
import { discipline as findDiscipline, item as findItem, itemsOfDiscipline } from '../store/texts.ts';
import { pause } from './pause.ts';

/** What the server would answer, of what is kept. Without one the network is asked instead. */
export type Answer = Promise<Response | undefined>;

/** Stands between the parts of an item's text, as in the server's answer. */
const partMark = '<!---->';

/** An item of a copy that may be read now. */
async function openItem(id: number): Promise<StoredItem | null | undefined> {
  const item = await findItem(id);
  return (await openCopy(item?.prepa ?? 0)) && item;
}

/** GET /api/items/:id/texte. Asked for, it is opened. */
export async function itemText(id: number, request: Request): Answer {
  const item = await openItem(id);
  if (!item) return;
  const { titre, contenu, corrige, documents } = item;
  try {
    await note('lu', id);
  } catch {
    // Where nothing can be noted the server does it, if it can be reached.
    const answered = await fetch(request).catch(ignore);
    if (answered?.ok) return answered;
  }
  // What is undefined is not written.
  const rest = { titre, corrige: corrige === null ? undefined : true, documents: documents[0] && documents };
  return new Response([contenu, corrige ?? '', JSON.stringify(rest)].join(partMark));
}

/** GET /api/disciplines/:id/lus. */
export async function disciplineMarks(id: number): Answer {
  const prepa = (await findDiscipline(id))?.prepa ?? 0;
  if (!(await openCopy(prepa))) return;
  const marks = await marksOf(prepa);
  const marked = (await itemsOfDiscipline(id)).flatMap((item) => {
    const mark = marks.get(item.id);
    return mark ? { ...item, ...mark } : [];
  });
  // The store gives items by their ids, as the server does.
  const idsOf = (rows: typeof marked) => rows.map((row) => row.id);
  const [last] = marked.toSorted((one, other) => other.readAt - one.readAt);
  const answer = {
    ouverts: idsOf(marked),
    termines: idsOf(marked.filter(({ finished }) => finished)),
    aRevoir: idsOf(marked.filter(({ verdict, corrige }) => verdict === 'a_revoir' && corrige !== null)),
    dernier: last ? { type: last.kind, id: last.id } : null,
  };
  return Response.json(answer);
}

/** A browser hands a page's request to another worker when the first was stopped before it had answered. */
const keyOf = ({ headers }: Request): string | null => headers.get('idempotency-key');

/** A mark that comes of reading: the last part of its call's address. */
export type ReadingMark = 'lu' | 'termine' | 'rouvert';

/** POST /api/items/:id/lu, /termine and /rouvert. */
export async function itemMark(id: number, type: ReadingMark, request: Request): Answer {
  if (!(await openItem(id))) return;
  await note(type, id, keyOf(request));
  return new Response(null, { status: 204 });
}

/** The plain forms of the study page and of a practice: POST /user/prepa/:prepa/:discipline/termine, /rouvert and /entrainement. */
export async function studyForm(study: string, discipline: number, form: string, request: Request): Answer {
  // Another site's form is the server's to refuse.
  if (!request.referrer.startsWith(`${location.origin}/`)) return;
  const sent = new URLSearchParams(await request.clone().text());
  const item = await openItem(Number(sent.get('item')));
  const isPractice = form === 'entrainement';
  const type = isPractice ? sent.get('verdict') : form;
  if (item?.discipline !== discipline || item.kind !== sent.get('type')) return;
  if (isPractice && !(/^(reussi|a_revoir)$/.test(type as string) && item.corrige !== null)) return;
  await note(type as OutboxEntry['type'], item.id, keyOf(request));
  return Response.redirect(`${study}${form === 'rouvert' ? '' : '/suite'}?type=${item.kind}&item=${item.id}`, 303);
}

/** The page that shows what is kept; its script reads the address. */
const keptShell = (): Answer => caches.match(shellPath);
export const keptPage = async (prepa: number): Answer => (await openCopy(prepa)) && keptShell();

/** Any other page: the network's, and without network the kept one, which says what can be read. */
export const pageFromNetwork = (request: Request): Answer => fetch(request).catch(keptShell);

/** For the network to answer before what is kept is shown instead, in ms. */
const lateMs = 3_000;

/** A page of which the server may know more than what is kept, and which is shown of that while the network hangs. */
export const keptWhenLate = (request: Request): Answer => Promise.race([pageFromNetwork(request), pause(lateMs).then(keptShell)]);

/** A picture, a document, a script or a style that is kept. Pictures are the same under every address that a page gives them. */
export const keptFile = async (path: string): Answer => (await readableCopies())[0] && caches.match(path);
