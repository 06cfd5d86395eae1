import type { Config } from '../../../platform/settings/config.ts';

/**
 * The landing page's texts that do not come from the database: statistics (specification §9), features, testimonials and questions.
 * The testimonials are placeholders until the product owner has real ones, with their authors' consent.
 */

const statistics = [
  { value: '15+', label: 'préparations' },
  { value: '500+', label: 'leçons et exercices' },
  { value: '1000+', label: 'étudiants satisfaits' },
  { value: '85%', label: 'taux de réussite' },
];

/** Features of the product. `icon` selects the drawing in the view. */
const features = [
  {
    icon: 'lesson',
    title: 'Cours complets',
    text: "Des leçons rédigées, discipline par discipline : définitions, méthodes et exemples traités jusqu'au bout.",
  },
  {
    icon: 'exercise',
    title: 'Exercices corrigés',
    text: "Cherchez d'abord, ouvrez le corrigé ensuite : chaque étape du raisonnement est écrite.",
  },
  {
    icon: 'subject',
    title: 'Anciens sujets',
    text: 'Des épreuves des années passées avec leur corrigé, pour vous entraîner dans les conditions du concours.',
  },
];

const testimonials = [
  {
    quote: "Je révisais le soir sur mon téléphone, une leçon à la fois. Les corrigés m'ont appris à rédiger, pas seulement à trouver.",
    author: 'Mireille N.',
    role: "Candidate à l'ENS de Yaoundé",
  },
  {
    quote: "J'ai essayé une leçon avant de payer, puis j'ai payé avec mon téléphone. Une heure après, je travaillais mon premier sujet.",
    author: 'Ibrahim S.',
    role: "Candidat à l'ENAM",
  },
  {
    quote: "Les anciens sujets en temps limité ont tout changé : le jour de l'épreuve, je savais par où commencer.",
    author: 'Carine T.',
    role: 'Candidate à Polytechnique',
  },
];

const eitherOf = new Intl.ListFormat('fr', { type: 'disjunction' });

/** Returns the landing page's texts. The answer about support names the given contacts. @param offline whether prepas can be kept offline */
export function landingContent({ supportEmail, supportPhone, supportWhatsapp }: Config['site'], offline: boolean) {
  const contacts = eitherOf.format(
    [
      supportEmail && `par e-mail à ${supportEmail}`,
      supportPhone && `par téléphone au ${supportPhone}`,
      supportWhatsapp && `par WhatsApp au ${supportWhatsapp}`,
    ].filter(Boolean),
  );
  return {
    offline,
    statistics,
    features,
    testimonials,
    questions: [
      {
        question: 'Comment accéder aux cours ?',
        answer:
          "Créez un compte, choisissez une préparation et payez les frais d'inscription. Toutes ses disciplines s'ouvrent aussitôt le paiement " +
          'confirmé, pour 30 jours. Avant de payer, vous pouvez lire gratuitement le premier contenu de chaque section.',
      },
      {
        question: 'Combien coûte une préparation ?',
        answer:
          "Le prix, en francs CFA (XAF), est écrit sur chaque préparation. Un seul paiement couvre 30 jours d'accès aux leçons, aux exercices, " +
          "aux anciens sujets et aux corrigés. Le suivi personnalisé par un professeur n'est pas compris.",
      },
      {
        question: 'Puis-je étudier hors connexion ?',
        answer: `Certains documents PDF peuvent être téléchargés pour être lus hors connexion. ${
          offline
            ? 'Une préparation payée se garde aussi en entier sur le téléphone : leçons, exercices et corrigés se lisent alors sans réseau.'
            : 'Les autres contenus se lisent en ligne ; les pages sont légères, pour ménager votre forfait.'
        }`,
      },
      {
        question: 'Comment renouveler mon accès ?',
        answer:
          "Payez de nouveau depuis votre tableau de bord. Si votre accès est encore en cours, les 30 jours s'ajoutent à sa date de fin : " +
          'vous ne perdez aucun jour.',
      },
      {
        question: 'Qui contacter en cas de problème ?',
        answer: contacts
          ? `Écrivez ou appelez notre équipe ${contacts}. Si vous avez payé et que rien ne s'affiche, indiquez l'adresse e-mail de votre compte.`
          : 'Notre équipe répond aux coordonnées indiquées au bas de cette page.',
      },
    ],
  };
}
