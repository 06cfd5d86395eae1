import { tidyName } from '../../../shared/blanks.ts';
import { dureeFault, intituleFault, titreFault } from '../../../shared/forms/item-rules.ts';
import { type MarkingRule, ordinaryRule, parseRule, ruleFault } from '../../../shared/questions/marking-rule.ts';
import type { Report } from '../texts/markdown/source-lines.ts';
import type { FrontMatter } from './front-matter.ts';

// The rules and messages of specification §5. An invalid field is reported, and its reader returns undefined.

/** Returns readers for the values of a front matter. Each reader applies the rules of its field. */
export function fieldsOf({ values }: FrontMatter, report: Report) {
  const required = (key: string, missing: string): { value: string; line: number } | undefined => {
    const field = values.get(key);
    if (field?.value) return field;
    report(field?.line ?? 1, field ? missing : `Clé manquante : ${key} (${missing})`);
    return undefined;
  };
  /** Reports the message of the first broken rule. Returns whether no rule is broken. */
  const judge = (field: { value: string; line: number }, rules: [boolean, string][]): boolean => {
    const broken = rules.find(([isBroken]) => isBroken);
    if (broken) report(field.line, broken[1]);
    return !broken;
  };

  return {
    nom(missing: string, most = Number.POSITIVE_INFINITY): string | undefined {
      const field = required('nom', missing);
      const nom = tidyName(field?.value ?? '');
      const valid =
        field &&
        judge(field, [
          [nom.length < 3, 'Le nom doit contenir au moins 3 caractères'],
          [nom.length > most, `Le nom ne doit pas dépasser ${most} caractères`],
        ]);
      return valid ? nom : undefined;
    },

    prix(): number | undefined {
      const field = required('prix', 'Le prix est requis');
      const valid =
        field &&
        judge(field, [
          [/^-\d|^0+$/.test(field.value), 'Le prix doit être positif'],
          [!/^\d{1,9}$/.test(field.value), 'Le prix doit être un nombre entier de XAF, sans espace'],
        ]);
      return valid ? Number(field.value) : undefined;
    },

    publie(): boolean | undefined {
      const field = required('publie', 'oui ou non');
      return field && judge(field, [[field.value !== 'oui' && field.value !== 'non', 'La valeur de publie doit être oui ou non']])
        ? field.value === 'oui'
        : undefined;
    },

    diagnostic(): boolean {
      const field = values.get('diagnostic');
      const isYes = field?.value === 'oui';
      if (field) judge(field, [[!isYes && field.value !== 'non', 'La valeur de diagnostic doit être oui ou non']]);
      return isYes;
    },

    titre(): string | undefined {
      const field = required('titre', 'Le titre est requis');
      const fault = field ? titreFault(field.value) : null;
      return field && judge(field, [[fault !== null, fault ?? '']]) ? tidyName(field.value) : undefined;
    },

    /** Returns the full title; null when the file does not give one. */
    intitule(): string | null | undefined {
      const field = values.get('intitule');
      if (!field?.value) return null;
      const fault = intituleFault(field.value);
      return judge(field, [[fault !== null, fault ?? '']]) ? tidyName(field.value) : undefined;
    },

    annee(currentYear: number): number | undefined {
      const field = required('annee', "L'année est requise");
      const valid =
        field &&
        judge(field, [
          [!/^-?\d{1,9}$/.test(field.value), "L'année doit être un nombre entier"],
          [Number(field.value) < 1900, "L'année doit être supérieure à 1900"],
          [Number(field.value) > currentYear, `L'année ne peut pas dépasser ${currentYear}`],
        ]);
      return valid ? Number(field.value) : undefined;
    },

    /** Returns the duration in minutes; null when the file does not give one. */
    duree(): number | null | undefined {
      const field = values.get('duree');
      if (!field?.value) return null;
      const fault = dureeFault(field.value);
      return judge(field, [[fault !== null, fault ?? '']]) ? Number(field.value) : undefined;
    },

    /** Returns the marking rule; the ordinary one when the file does not give one. */
    bareme(): MarkingRule | undefined {
      const field = values.get('bareme');
      if (!field) return ordinaryRule;
      const fault = ruleFault(field.value);
      return judge(field, [[fault !== null, fault ?? '']]) ? (parseRule(field.value) ?? undefined) : undefined;
    },
  };
}

/** Returns the plain text below a front matter. Reports a missing text, and a text longer than `most` characters. */
export function readDescription({ body, bodyLine }: FrontMatter, missing: string, most: number | null, report: Report): string {
  const description = body.trim();
  const line = bodyLine + (/^\s*/.exec(body)?.[0].split('\n').length ?? 1) - 1;
  if (description === '') report(bodyLine, missing);
  if (most !== null && description.length > most) {
    report(line, `La description ne doit pas dépasser ${most} caractères (elle en a ${description.length})`);
  }
  return description;
}
