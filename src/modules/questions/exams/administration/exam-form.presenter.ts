import { type Form, typedField } from '../../../../platform/pages/form-answer.ts';
import { examLimits, writeDoualaTime } from '../../../../shared/exams/exam-form.ts';
import { examState } from '../../../../shared/exams/exam-state.ts';
import { writeRule } from '../../../../shared/questions/marking-rule.ts';
import type { ExamRow } from '../exam/exam.repository.ts';
import { examHref } from './addresses.ts';
import type { ListedExam } from './exam.administration.repository.ts';
import { badgeOf, counted, instantOf, sayMinutes } from './exam-words.ts';

/** Fields of an exam's form, as text. */
export interface FormValues {
  prepa: string;
  titre: string;
  ouverture: string;
  fermeture: string;
  duree: string;
  grace: string;
  bareme: string;
  audience: string;
  consignes: string;
}

export const emptyExam: FormValues = {
  prepa: '',
  titre: '',
  ouverture: '',
  fermeture: '',
  duree: '120',
  grace: '30',
  bareme: '',
  audience: 'enrolled',
  consignes: '',
};

/** Returns an exam as its form shows it. */
export const storedValues = (exam: ExamRow): FormValues => ({
  prepa: String(exam.prepaId),
  titre: exam.titre,
  ouverture: writeDoualaTime(exam.opensAt),
  fermeture: writeDoualaTime(exam.closesAt),
  duree: String(exam.duree),
  grace: String(exam.grace),
  bareme: writeRule(exam.bareme),
  audience: exam.audience,
  consignes: exam.consignes,
});

/** Returns a refused form as it was typed. Fields that the form does not have stay as they are stored. */
export function typedValues(form: Form, stored: FormValues | null): FormValues {
  const text = (name: keyof FormValues): string => (name in form ? typedField(form, name) : (stored?.[name] ?? ''));
  const { consignes } = form;
  return {
    prepa: text('prepa'),
    titre: text('titre'),
    ouverture: text('ouverture'),
    fermeture: text('fermeture'),
    duree: text('duree'),
    grace: text('grace'),
    bareme: text('bareme'),
    audience: text('audience'),
    consignes:
      typeof consignes === 'string' ? consignes.replaceAll('\r\n', '\n').slice(0, 2 * examLimits.consignes) : (stored?.consignes ?? ''),
  };
}

/** Returns the revision that a form's page had; 0, which no exam has, for any other value. */
export function readRevision(form: Form): number {
  const typed = typedField(form, 'revision');
  return /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
}

export function presentListed(exam: ListedExam, now: Date) {
  return {
    href: examHref(exam.id),
    titre: exam.titre,
    prepa: exam.prepaNom,
    badge: badgeOf(examState(exam, now)),
    opens: instantOf(exam.opensAt),
    length: sayMinutes(exam.duree),
    papers: counted(exam.papers, 'épreuve'),
  };
}
