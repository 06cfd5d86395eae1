import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { drawnAnew } from '../texts/html/drawn-anew.ts';
import { currentTexts, earlierTexts, type StoredTexts, type TextStore } from './stored-texts.ts';

/** Rows read per batch and written per transaction. One text may have a million characters, so memory bounds this number. */
const batchSize = 20;

/** A text that was not redrawn: its HTML is not canonical, or one of its formulas can no longer be drawn. */
type LeftText = Pick<StoredTexts, 'itemId' | 'kind' | 'titre' | 'version'>;

interface Counts {
  /** Rows read, all of which hold a formula. */
  read: number;
  changed: number;
  left: number;
}

interface DrawingReport {
  items: Counts;
  versions: Counts;
}

interface DrawingOptions {
  /** Counts the rows that would change and writes nothing. */
  dryRun?: boolean;
  onLeft?: (text: LeftText) => void;
  /** Called after each batch with the number of rows read so far. */
  onProgress?: (read: number) => void;
}

/**
 * Redraws the formulas of all stored texts with this release's renderer, from the LaTeX stored next to each drawing.
 * Version numbers stay the same, so open editors meet no conflict. The command can be run again after it was killed; a second run
 * changes nothing.
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

/** Returns the redrawn HTML, or null when the text must be left unchanged. */
const draw = (html: string): string | null => (html.includes(' data-latex="') ? drawnAnew(html) : html);
