import { database, type Finding, mail, providers, site } from './world.ts';

type Settings = Readonly<Record<string, string>>;

/** A setting that production needs. */
export interface Question {
  name: string;
  asks: string;
  /** The default answer; '' means that the setting may stay empty. */
  usual?: string;
  optional?: true;
  hidden?: boolean;
  /** Returns whether the question is asked, given the earlier answers. */
  applies?(settings: Settings): boolean;
  /** Checks this answer, and those before it, with external services. */
  check?(settings: Settings): Promise<Finding[]>;
}

const chosen = (slug: string) => (settings: Settings) => (settings.PAYMENT_PROVIDERS ?? '').split(',').some((name) => name.trim() === slug);
const last = (slug: string) => (settings: Settings) => settings.PAYMENT_PROVIDERS?.split(',').at(-1)?.trim() === slug;

/** The questions in the order of asking. Their names are settings, which .env.example documents. */
export const questions: readonly Question[] = [
  { name: 'PUBLIC_URL', asks: 'Adresse du site, comme https://prepa.example', check: site },
  {
    name: 'MIGRATIONS_DATABASE_URL',
    asks: 'Base de données, au nom de son propriétaire, comme postgresql://prepa_owner:mot-de-passe@localhost/prepa',
    hidden: true,
    check: database,
  },
  { name: 'PAYMENT_PROVIDERS', asks: 'Prestataires de paiement, séparés par des virgules : zitopay, notchpay', usual: 'zitopay' },
  {
    name: 'ZITOPAY_RECEIVER',
    asks: 'ZitoPay : nom du compte qui reçoit',
    applies: chosen('zitopay'),
    check: async (settings) => (last('zitopay')(settings) ? providers(settings) : []),
  },
  { name: 'NOTCHPAY_PUBLIC_KEY', asks: 'Notch Pay : clé publique', applies: chosen('notchpay') },
  {
    name: 'NOTCHPAY_HASH_KEY',
    asks: 'Notch Pay : clé de signature (hash key)',
    hidden: true,
    applies: chosen('notchpay'),
    check: async (settings) => (last('notchpay')(settings) ? providers(settings) : []),
  },
  { name: 'MAIL_FROM', asks: "Adresse électronique d'où partent les messages du site (vide : aucun message)", usual: '', optional: true },
  {
    name: 'SMTP_URL',
    asks: 'Serveur de messagerie, comme smtps://nom:mot-de-passe@mail.example:465',
    usual: '',
    optional: true,
    hidden: true,
    applies: ({ MAIL_FROM }) => Boolean(MAIL_FROM),
    check: mail,
  },
  { name: 'SUPPORT_EMAIL', asks: 'Adresse électronique du support, montrée aux candidats' },
  { name: 'SUPPORT_PHONE', asks: 'Téléphone du support, montré aux candidats' },
  {
    name: 'BACKUP_RECIPIENT',
    asks: 'Clé publique age qui chiffre les sauvegardes (vide : elles ne sont pas chiffrées)',
    usual: '',
    optional: true,
  },
];
