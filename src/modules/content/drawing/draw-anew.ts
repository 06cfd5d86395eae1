import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { drawnAnew } from '../texts/html/drawn-anew.ts';
import { currentTexts, earlierTexts, type StoredTexts, type TextStore } from './stored-texts.ts';

/** Rows in memory and in one transaction: a text has up to a million characters. */
const batchSize = 20;

/** A text that stays as it was drawn: it is not canonical, or a formula of it cannot be drawn any more. */
type LeftText = Pick<StoredTexts, 'itemId' | 'kind' | 'titre' | 'version'>;

interface Counts {
  /** With formulas. */
  read: number;
  changed: number;
  left: number;
}

interface DrawingReport {
  items: Counts;
  versions: Counts;
}

interface DrawingOptions {
  /** Counts only. */
  dryRun?: boolean;
  onLeft?: (text: LeftText) => void;
  /** Called between two batches with how many rows have been read. */
  onProgress?: (read: number) => void;
}

/**
 * Draws the formulas of stored texts as this release does, from the LaTeX that stands beside them: what a save would write, without being one. No version is
 * counted, since what authors have written stays the same; editors that are open meet no conflict. Run again it changes nothing; killed, it goes on.
 */
export async function drawFormulasAnew(em: EntityManager, context: UseCaseContext, options: DrawingOptions = {}): Promise<DrawingReport> {
  const items = await drawAll(em, context, currentTexts, options, 0);
  const versions = await drawAll(em, context, earlierTexts, options, items.read);
  context.log.info({ items, versions, dryRun: options.dryRun ?? false }, 'formulas drawn anew');
  return { items, versions };
}

async function drawAll(
  em: EntityManager,
  context: UseCaseContext,
  store: TextStore,
  { dryRun = false, onLeft, onProgress }: DrawingOptions,
  readBefore: number,
): Promise<Counts> {
  const counts: Counts = { read: 0, changed: 0, left: 0 };
  for (let last = 0; ; ) {
    const rows = await store.next(em, last, batchSize);
    if (rows.length === 0) return counts;
    last = rows.at(-1)?.id ?? last;
    counts.read += rows.length;
    const changed: StoredTexts[] = [];
    for (const row of rows) {
      const contenu = draw(row.contenu);
      const corrige = row.corrige === null ? null : draw(row.corrige);
      if (contenu === null || (corrige === null && row.corrige !== null)) {
        counts.left += 1;
        onLeft?.(row);
      }
      const drawn = { ...row, contenu: contenu ?? row.contenu, corrige: corrige ?? row.corrige };
      if (drawn.contenu !== row.contenu || drawn.corrige !== row.corrige) changed.push(drawn);
    }
    if (dryRun) counts.changed += changed.length;
    else if (changed.length > 0) counts.changed += await transact(em, context, (tx) => store.write(tx, changed));
    onProgress?.(readBefore + counts.read);
  }
}

/** Null: it stays as it is. */
const draw = (html: string): string | null => (html.includes(' data-latex="') ? drawnAnew(html) : html);
