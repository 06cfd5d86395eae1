import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { AppError, notFound } from '../../../platform/errors.ts';
import { openEncoder, type TextEncoding } from '../../../platform/http/text-encoding.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { SharedWork } from '../../../platform/work/shared-work.ts';
import { type ItemChange, offlineFormat } from '../../../shared/offline/offline-copy.ts';
import { measurePictures } from './picture-sizes.ts';
import { presentDisciplines, presentKept, shownPictures, tagOfVersions } from './texts.presenter.ts';
import { type Choice, type ChoiceVersions, findVersions, type Held, listOutline, listTexts, type OutlineRow } from './texts.repository.ts';

/** Memory for compressed texts of whole prepas, in bytes. */
const cacheBytes = 32 * 1024 * 1024;

type Files = Pick<UseCaseContext, 'files'>;

/** Items read and presented at a time: the event loop is held for some milliseconds. */
const batchSize = 20;
/** Up to so many stored bytes (some lessons, 0.1 s) texts are compressed as small as they go. */
const smallBytes = 20_000;
const smallest = 11;
/** A prepa of the demonstration is a tenth to a quarter larger than with `smallest`, and compressed in a fortieth of the time. */
const quick = 5;

/** The versions of what a learner may read now. @throws AppError 404, 403 */
export async function readableVersions(
  em: EntityManager,
  userId: string,
  now: Date,
  choice: Choice,
): Promise<ChoiceVersions & { end: Date }> {
  const [versions] = await findVersions(em, userId, now, [choice]);
  if (versions?.access && versions.end) return { ...versions, end: versions.end };
  if (!versions?.isPublished) throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
  throw new AppError('ITEM.LOCKED', 403, 'Cette préparation est réservée aux candidats inscrits.');
}

/** The texts of whole choices, compressed once for all learners. Whether a learner may read them is asked each time, and never kept. */
export class OfflineTexts {
  readonly #cache = new LRUCache<string, Buffer>({ maxSize: cacheBytes, sizeCalculation: (body, key) => body.length + key.length });
  readonly #work = new SharedWork<Buffer>();

  /**
   * @param versions what the learner may read: their tag names the answer
   * @param caller ends the work once nobody else waits for it
   */
  async compressed(
    em: EntityManager,
    context: Files,
    choice: Choice,
    versions: ChoiceVersions,
    encoding: TextEncoding,
    caller: AbortSignal,
  ): Promise<Buffer> {
    const key = `${tagOfVersions(versions)}.${encoding}`;
    const kept = this.#cache.get(key);
    if (kept) return kept;
    return this.#work.join(key, caller, async (signal) => {
      const body = await compress(em, context, choice, versions, { items: [], takesChanges: false }, encoding, signal);
      this.#cache.set(key, body);
      return body;
    });
  }
}

/** What differs from what a device holds. @param signal ends the work */
export const compressedDifference = compress;

async function compress(
  em: EntityManager,
  context: Files,
  choice: Choice,
  versions: ChoiceVersions,
  held: Held,
  encoding: TextEncoding,
  signal: AbortSignal,
): Promise<Buffer> {
  const outline = await listOutline(em, choice, held, versions);
  const stored = outline.reduce((bytes, row) => bytes + (row.changed ? row.stored : 0), 0);
  const encoder = openEncoder(encoding, stored <= smallBytes ? smallest : quick);
  const parts = writeTexts(em, context, versions, outline, held);
  const [body] = await Promise.all([buffer(encoder), pipeline(Readable.from(parts), encoder, { signal })]);
  return body;
}

/** Writes a `TextsAnswer` as JSON, item by item, so that a prepa of thousands is never in memory at once. */
async function* writeTexts(em: EntityManager, { files }: Files, versions: ChoiceVersions, outline: readonly OutlineRow[], held: Held) {
  const prepaId = versions.prepaId ?? 0;
  const head = { format: offlineFormat, prepa: { id: prepaId, nom: versions.prepaNom }, tag: tagOfVersions(versions) };
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`;
  const asked = outline.flatMap(({ itemId, version, changed }) => (itemId !== null && changed ? [[itemId, version] as const] : []));
  const found = new Map<number, number | null>();
  const changes: ItemChange[] = [];
  let separator = '';
  for (let start = 0; start < asked.length; start += batchSize) {
    const batch = asked.slice(start, start + batchSize);
    const ids = batch.map(([id]) => id);
    const rows = await listTexts(em, ids, held, new Map(batch));
    const sizes = await measurePictures(em, files, rows.flatMap(shownPictures));
    for (const id of ids) found.set(id, null);
    for (const row of rows) {
      found.set(row.itemId, row.version);
      const presented = presentKept(row, sizes);
      if ('change' in presented) {
        changes.push(presented.change);
        continue;
      }
      yield `${separator}${JSON.stringify(presented.item)}`;
      separator = ',';
    }
  }
  const end = { disciplines: presentDisciplines(prepaId, outline, found), ...(changes.length > 0 && { changes }) };
  yield `],${JSON.stringify(end).slice(1)}`;
}
