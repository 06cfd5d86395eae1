import { type AdministratorRole, roleNames } from '../../../shared/forms/administrator.ts';
import { formatXaf } from '../../../shared/money.ts';
import type { AuditRow } from './audit.repository.ts';
import { auditActions, auditSubjects } from './audit-vocabulary.ts';

/** Returns an entry for the list; with `everything`, for the entry's own page. */
export function presentEntry(row: AuditRow, { everything = false } = {}) {
  return {
    id: row.id,
    at: { machine: row.at.toISOString(), text: formatInstant(row.at) },
    /** Null for the command line. */
    who: whoOf(row),
    network: row.network,
    action: wordFor(auditActions, row.action),
    subject: wordFor(auditSubjects, row.subject),
    label: row.label,
    fields: changedFields(fieldsOf(row.before), fieldsOf(row.after), everything ? Number.POSITIVE_INFINITY : maxListedLength),
  };
}

function whoOf({ administratorId, actor }: AuditRow): string | null {
  if (administratorId !== null) return actor;
  return actor === 'terminal' ? null : 'un visiteur';
}

type Fields = Record<string, unknown>;

/** Returns stored values as fields. The log stores objects; other values have no fields to show. */
function fieldsOf(stored: unknown): Fields | null {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as Fields) : null;
}

/** Returns the changed fields; for a creation or deletion, all fields. */
function changedFields(before: Fields | null, after: Fields | null, maxLength: number) {
  const present = (fields: Fields | null, name: string) => (fields ? presentValue(name, fields[name], maxLength) : null);
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null))
    .map((name) => ({ name: wordFor(fieldNames, name), before: present(before, name), after: present(after, name) }));
}

/** Values longer than this are shown shortened, in characters. */
const maxValueLength = 160;
/** Longest value that can be expanded in the list, in characters. 50 deleted lessons would make a page of several megabytes. */
const maxListedLength = 2000;

/**
 * Returns a value as text. `whole` is the full text when `text` is shortened; `elsewhere` is true when the full text is only on the
 * entry's own page.
 */
function presentValue(name: string, value: unknown, maxLength: number) {
  const text = textOf(name, value);
  if (text.length <= maxValueLength) return { text, whole: null, elsewhere: false };
  const elsewhere = text.length > maxLength;
  return { text: `${text.slice(0, maxValueLength).trimEnd()}...`, whole: elsewhere ? null : text, elsewhere };
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'Oui' : 'Non';
  if (typeof value === 'number') return name === 'prix' || name === 'rendu' ? formatXaf(value) : String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) return value.join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (name === 'role') return wordFor<AdministratorRole>(roleNames, value);
  return isInstant(value) ? formatInstant(new Date(value)) : value;
}

/** Returns the French name of a stored word; the word itself when this release does not know it. */
function wordFor<Word extends string>(vocabulary: Record<Word, string>, word: string): string {
  return Object.hasOwn(vocabulary, word) ? vocabulary[word as Word] : word;
}

const fieldNames: Record<string, string> = {
  nom: 'Nom',
  description: 'Description',
  prix: 'Prix',
  image: 'Image',
  is_published: 'Publiée',
  disabled: 'Désactivé',
  prepa_concours_id: 'Préparation n°',
  discipline_id: 'Discipline n°',
  titre: 'Titre',
  intitule: 'Intitulé complet',
  numero_page: 'Page',
  annee: 'Année',
  duree: 'Durée conseillée (minutes)',
  bareme: 'Barème',
  contenu: 'Contenu',
  enonce: 'Énoncé',
  corrige: 'Corrigé',
  contenu_caracteres: 'Longueur du contenu, en caractères de HTML',
  corrige_caracteres: 'Longueur du corrigé, en caractères de HTML',
  version: 'Version',
  documents: 'Documents',
  username: "Nom d'utilisateur",
  email: 'E-mail',
  role: 'Rôle',
  keys: 'Paire de clés n°',
  expiresAt: "Valable jusqu'au",
  date_expiration: "Accès jusqu'au",
  reason: 'Raison',
  sessions: 'Sessions terminées',
  etat: 'État',
  questions: 'Questions',
  reponse: 'Réponse',
  rendu: 'Rendu',
  jours: 'Jours',
  candidat: 'Candidat',
  inscriptions: 'Inscriptions',
  prepas: 'Préparations',
  disciplines: 'Disciplines',
  items: 'Contenus',
  changed: 'Ajoutés ou modifiés',
  device: 'Appareil',
  etape: 'Étape',
  du: 'Du',
  au: 'Au',
  recherche: 'Avec une recherche',
  alerte: 'À regarder',
  prestataire: 'Prestataire',
  prepa: 'Préparation n°',
  format: 'Format',
  ouverture: 'Ouverture',
  fermeture: 'Fermeture',
  duree_epreuve: "Durée de l'épreuve (minutes)",
  grace: 'Délai de réception (minutes)',
  audience: 'Qui peut composer',
  consignes: 'Consignes',
  epreuves: 'Épreuves',
  question: 'Question n°',
  standing: 'Compte comme',
  right: 'Choix justes',
  value: 'Valeur attendue',
  tolerance: 'Tolérance',
  accepted: 'Réponses acceptées',
  candidates: 'Candidats',
  late: 'Copie en retard',
  candidate: 'Candidat n°',
};

const instant = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'Africa/Douala' });

/** Returns an instant as `21 novembre 2026 à 12:05:33`, in the time zone Africa/Douala. */
const formatInstant = (at: Date): string => instant.format(at).replaceAll(/\s/g, ' ');

const isInstant = (value: string): boolean => /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));
