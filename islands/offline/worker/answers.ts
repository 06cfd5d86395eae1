import type { OutboxEntry } from '../../../src/shared/offline/offline-copy.ts';
import { openCopy, readableCopies } from '../both/access.ts';
import { note } from '../both/outbox.ts';
import { shellPath } from '../both/store/files.ts';
import { ignore } from '../both/store/ignore.ts';
import { marksOf } from '../both/store/marks.ts';
import type { StoredItem } from '../both/store/records.ts';
import { discipline as findDiscipline, item as findItem, itemsOfDiscipline } from '../both/store/texts.ts';
import { pause } from './pause.ts';

/** A response made from the kept copy, like the server's. Undefined: the request goes to the network. */
export type Answer = Promise<Response | undefined>;

/** Separates the parts of an item's text, as in the server's response. */
const partMark = '<!---->';

/** Returns an item of a copy that may be read now. */
async function openItem(id: number): Promise<StoredItem | null | undefined> {
  const item = await findItem(id);
  return (await openCopy(item?.prepa ?? 0)) && item;
}

/** GET /api/items/:id/texte. Also notes that the item was opened. */
export async function itemText(id: number, request: Request): Answer {
  const item = await openItem(id);
  if (!item) return;
  const { titre, contenu, corrige, documents } = item;
  try {
    await note('lu', id);
  } catch {
    // The note could not be stored. If the server is reachable, its response notes the opening.
    const answered = await fetch(request).catch(ignore);
    if (answered?.ok) return answered;
  }
  // JSON.stringify leaves out undefined values.
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
  // The store returns items ordered by id, like the server.
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

/** Returns the page's idempotency key. A browser repeats a request with another worker if the first was stopped before its response. */
const keyOf = ({ headers }: Request): string | null => headers.get('idempotency-key');

/** A mark of reading: the last segment of its call's path. */
export type ReadingMark = 'lu' | 'termine' | 'rouvert';

/** POST /api/items/:id/lu, /termine and /rouvert. */
export async function itemMark(id: number, type: ReadingMark, request: Request): Answer {
  if (!(await openItem(id))) return;
  await note(type, id, keyOf(request));
  return new Response(null, { status: 204 });
}

/** Handles the plain forms of the study and practice pages: POST /user/prepa/:prepa/:discipline/termine, /rouvert and /entrainement. */
export async function studyForm(study: string, discipline: number, form: string, request: Request): Answer {
  // A form of another site goes to the server, which refuses it.
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

/** Returns the stored page that shows kept prepas. Its script chooses the content by the URL. */
const keptShell = (): Answer => caches.match(shellPath);
export const keptPage = async (prepa: number): Answer => (await openCopy(prepa)) && keptShell();

/** Fetches a page from the network. Without network returns the stored page, which lists the kept prepas. */
export const pageFromNetwork = (request: Request, kept = keptShell): Answer => fetch(request).catch(kept);

/** Fetches a page that the server knows more about than the copy. After `ms` without a response, returns the stored page. */
export const keptWhenLate = (request: Request, ms: number, kept = keptShell): Answer =>
  Promise.race([pageFromNetwork(request, kept), pause(ms).then(kept)]);

/** Returns a kept picture, document, script or style. The query string of a picture's URL is ignored: signatures differ between pages. */
export const keptFile = async (path: string): Answer => (await readableCopies())[0] && caches.match(path);
