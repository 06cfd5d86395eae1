import { hidden, tidyName } from '../../../shared/blanks.ts';
import { titreSchema } from '../../../shared/forms/content.ts';
import { intituleFault, intituleRules, titreRules } from '../../../shared/forms/item-rules.ts';
import type { Remarks } from './remarks.ts';

/** Returns a text as a valid title: characters that the rule forbids become spaces. Null when nothing remains. */
export function allowedTitle(text: string | null | undefined): string | null {
  const title = (text ?? '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{Nd} _-]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  const cut = cutAt(title, titreRules.most.length);
  return titreSchema.safeParse(cut).success ? cut : null;
}

/** Returns a title proposed from a file's name: `03_Suites-numeriques.docx` becomes `03 Suites-numeriques`. */
export const titleOfFile = (name: string): string | null => allowedTitle(name.replace(/\.[^.]*$/, '').replaceAll('_', ' '));

/**
 * Returns a title found in a document as a valid title, and as the full title when the title had to be changed. Adds a remark then.
 * Both are null without a title.
 */
export function adaptedTitles(title: string | null, remarks: Remarks): { titre: string | null; intitule: string | null } {
  if (title === null) return { titre: null, intitule: null };
  const titre = allowedTitle(title);
  if (titre === tidyName(title)) return { titre, intitule: null };
  const intitule = allowedFullTitle(title);
  const full =
    intitule === null
      ? ''
      : ` L'intitulé complet, que les candidats voient, le garde${isCut(title) ? ` jusqu'à ${intituleRules.most} caractères` : ''}.`;
  remarks.say(`Le titre « ${title.slice(0, 120)} » a été adapté : ni ponctuation ni apostrophe, 100 caractères au plus.${full}`);
  return { titre, intitule };
}

const isCut = (title: string): boolean => tidyName(title).length > intituleRules.most;

/** Returns a heading as a valid title, and as the full title when the title says it otherwise. Both are null when nothing remains. */
export function titlesOf(heading: string): { titre: string | null; intitule: string | null } {
  const titre = allowedTitle(heading);
  return { titre, intitule: titre === null || titre === tidyName(heading) ? null : allowedFullTitle(heading) };
}

/** Returns a text as a valid full title: control characters become spaces, and what is too long is cut between two words. */
function allowedFullTitle(text: string): string | null {
  const title = cutAt(tidyName(text.normalize('NFC').replaceAll(hiddenRuns, ' ').replaceAll(/ +/g, ' ')), intituleRules.most);
  return title === '' || intituleFault(title) !== null ? null : title;
}

const hiddenRuns = new RegExp(`(?:${hidden.source})+`, 'gu');

/** Returns the beginning of a text, of at most `most` characters, without a part of its last word. */
function cutAt(text: string, most: number): string {
  if (text.length <= most) return text;
  return text
    .slice(0, most + 1)
    .replace(/ [^ ]*$|.$/u, '')
    .trim();
}
