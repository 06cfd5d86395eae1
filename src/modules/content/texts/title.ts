import { titreSchema } from '../../../shared/forms/content.ts';

const maxLength = 100;

/** A title as the site's rule has it, made of whatever a document calls itself: what the rule does not allow becomes a space. Null when nothing is left. */
export function allowedTitle(text: string | null | undefined): string | null {
  let title = (text ?? '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{Nd} _-]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (title.length > maxLength)
    title = title
      .slice(0, maxLength + 1)
      .replace(/ [^ ]*$|.$/u, '')
      .trim();
  return titreSchema.safeParse(title).success ? title : null;
}
