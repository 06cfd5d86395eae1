import { asStudied } from '../../src/shared/study/as-studied.ts';
import { readingMinutes } from '../../src/shared/study/reading-time.ts';
import type { ItemRef } from './outline.ts';
import type { Reading } from './reading.ts';

/** Timeout in ms: on mobile networks a connection can hang forever. */
const timeoutMs = 30_000;

/** Separates the text, its correction and the metadata in the response. */
const partMark = '<!---->';

/** Why an item could not be read: no session, no access (or deleted), or no usable response. */
type Refusal = 'signIn' | 'elsewhere' | 'failed';

/** Returns a text with its questions as forms. Only texts with questions load the script. */
const withForms = async (html: string, of: ItemRef): Promise<string> =>
  html.includes('<section class="question"') ? (await import('../../src/shared/questions/asked.ts')).withQuestionForms(html, of) : html;

/** Fetches one item, which the server records as opened. Never throws; an aborted request counts as failed. */
export async function fetchReading(asked: ItemRef, controller: AbortController): Promise<Reading | Refusal> {
  const { type, id } = asked;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(`/api/items/${id}/texte`, { signal: controller.signal });
    if (response.status === 401) return 'signIn';
    // The item's own page explains the refusal.
    if ([403, 404, 429].includes(response.status)) return 'elsewhere';
    if (!response.ok) return 'failed';
    // A Wi-Fi portal also responds with 200.
    const [contenu = '', corrected = '', ...rest] = (await response.text()).split(partMark);
    if (rest.length === 0) return 'failed';
    // Texts never have the separator, but a title may.
    const { titre, corrige = false, documents = [] } = JSON.parse(rest.join(partMark));
    const texts = asStudied({ contenu: await withForms(contenu, asked), corrige: corrige ? corrected : null });
    return { type, id, titre, minutes: readingMinutes(contenu), texts, documents };
  } catch {
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
