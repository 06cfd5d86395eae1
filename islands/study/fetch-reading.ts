import type { ItemRef } from './outline.ts';
import type { Reading } from './reading.ts';

/** On these networks a connection can hang for good. */
const timeoutMs = 30_000;

/** Stands between the text, its correction and the rest. */
const partMark = '<!---->';

/** Why there is no reading: no session, not this reader's (or gone), or no usable answer. */
type Refusal = 'signIn' | 'elsewhere' | 'failed';

/** Fetches one item, which is opened by that. Never throws; an aborted call counts as failed. */
export async function fetchReading({ type, id }: ItemRef, controller: AbortController): Promise<Reading | Refusal> {
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(`/api/items/${id}/texte`, { signal: controller.signal });
    if (response.status === 401) return 'signIn';
    // Its own page says why, and until when.
    if ([403, 404, 429].includes(response.status)) return 'elsewhere';
    if (!response.ok) return 'failed';
    // A Wi-Fi portal, too, answers 200.
    const [contenu = '', corrected = '', ...rest] = (await response.text()).split(partMark);
    if (rest.length === 0) return 'failed';
    // No text has the mark in it; a title may.
    const { titre, corrige = false, documents = [] } = JSON.parse(rest.join(partMark));
    return { type, id, titre, texts: { contenu, corrige: corrige ? corrected : null }, documents };
  } catch {
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
