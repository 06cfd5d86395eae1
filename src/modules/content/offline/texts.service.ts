import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { AppError, notFound } from '../../../platform/errors.ts';
import { encodeText, type TextEncoding } from '../../../platform/http/text-encoding.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { TextsAnswer } from '../../../shared/offline/offline-copy.ts';
import { presentTexts, shownPictures, tagOfVersions, type Weights, weigh } from './texts.presenter.ts';
import { type Choice, type ChoiceVersions, findVersions, type Held, type KeptRow, keepSizes, listKept } from './texts.repository.ts';

/** Memory for compressed texts of whole prepas, in bytes. */
const cacheBytes = 32 * 1024 * 1024;

type Files = Pick<UseCaseContext, 'files'>;

/** Differences are compressed for each device: as small as they go up to so many letters (some lessons, 0.2 s), then quickly. */
const smallDifference = 150_000;

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

interface Compressed {
  body: Buffer;
  weights: Weights;
}

/** The texts of choices, compressed as small as they go once for all learners; whether one may read them is asked each time, and never kept. */
export class OfflineTexts {
  readonly #cache = new LRUCache<
    string,
    Compressed,
    { em: EntityManager; context: Files; choice: Choice; versions: ChoiceVersions; encoding: TextEncoding }
  >({
    maxSize: cacheBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length,
    fetchMethod: async (_key, _stale, { context: { em, context, choice, versions, encoding } }) => {
      const answer = await readTexts(em, context, choice, versions, { items: [], takesChanges: false });
      const body = await encodeText(JSON.stringify(answer), encoding);
      return { body, weights: weigh(answer, body.length) };
    },
  });

  /** @param versions what the learner may read: their tag names the answer */
  async compressed(
    em: EntityManager,
    context: Files,
    choice: Choice,
    versions: ChoiceVersions,
    encoding: TextEncoding,
  ): Promise<Compressed> {
    const found = await this.#cache.fetch(`${tagOfVersions(versions)}.${encoding}`, {
      context: { em, context, choice, versions, encoding },
    });
    if (!found) throw new Error('texts that were to be compressed are not there');
    return found;
  }
}

/** What differs from what a device holds. */
export async function compressedDifference(
  em: EntityManager,
  context: Files,
  choice: Choice,
  versions: ChoiceVersions,
  held: Held,
  encoding: TextEncoding,
): Promise<Buffer> {
  const text = JSON.stringify(await readTexts(em, context, choice, versions, held));
  return encodeText(text, encoding, text.length <= smallDifference ? undefined : 5);
}

async function readTexts(em: EntityManager, { files }: Files, choice: Choice, versions: ChoiceVersions, held: Held): Promise<TextsAnswer> {
  const rows = await listKept(em, choice, held, versions);
  return presentTexts(versions, rows, await sizesOf(em, files, rows));
}

/** How large the pictures of texts are; of those stored before that was kept, their files say it, once. */
async function sizesOf(em: EntityManager, files: UseCaseContext['files'], rows: readonly KeptRow[]): Promise<Map<string, number>> {
  const stored = new Map(rows.flatMap(shownPictures).map(({ name, octets }) => [name, octets]));
  const unknown = [...stored].flatMap(([name, octets]) => (octets === null ? [name] : []));
  const measured = await Promise.all(unknown.map(async (name) => ({ name, octets: await files.size(name) })));
  const found = measured.flatMap(({ name, octets }) => (octets === null ? [] : [{ name, octets }]));
  if (found.length > 0) await keepSizes(em, found);
  const known = [...stored].flatMap(([name, octets]) => (octets === null ? [] : [[name, octets] as const]));
  return new Map([...known, ...found.map(({ name, octets }) => [name, octets] as const)]);
}
