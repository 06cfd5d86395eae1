import type { KindPaths } from '../../src/shared/item-kinds.ts';
import { withFormulaMarks } from '../../src/shared/rich-text/formula-marks.ts';
import type { ItemRef } from './outline.ts';
import type { Reading } from './reading.ts';

/** Spelt out: candidates need not load what else is known of the kinds. */
const paths: KindPaths = { course: 'lecons', exercise: 'exercices', pastExam: 'anciens-sujets' };

/** On these networks a connection can hang for good. */
const timeoutMs = 30_000;

/** Why there is no reading: no session, not this reader's (or gone), or no usable answer. */
type Refusal = 'signIn' | 'elsewhere' | 'failed';

/** Fetches one item. Never throws; an aborted call counts as failed. */
export async function fetchReading({ type, id }: ItemRef, controller: AbortController): Promise<Reading | Refusal> {
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(`/api/${paths[type]}/${id}`, {
      headers: { accept: 'application/json' },
      signal: controller.signal,
    });
    if (response.status === 401) return 'signIn';
    if (response.status === 403 || response.status === 404) return 'elsewhere';
    if (!response.ok) return 'failed';
    const { titre, enonce, contenu = enonce, corrige = null, documents = [] } = await response.json();
    // A Wi-Fi portal, too, answers 200.
    if (typeof contenu !== 'string') return 'failed';
    const texts = { contenu: withFormulaMarks(contenu), corrige: corrige === null ? null : withFormulaMarks(corrige) };
    return { type, id, titre, texts, documents };
  } catch {
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
