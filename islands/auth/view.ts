export type AuthView = 'connexion' | 'inscription';

interface ViewTexts {
  title: string;
  action: string;
  button: string;
  busy: string;
  /** Specification §8, when the server says nothing better. */
  failure: string;
}

export const views: Record<AuthView, ViewTexts> = {
  connexion: {
    title: 'Connexion',
    action: '/api/users/login',
    button: 'Se connecter',
    busy: 'Connexion en cours...',
    failure: 'Erreur lors de la connexion',
  },
  inscription: {
    title: 'Inscription',
    action: '/api/users/register',
    button: "S'inscrire",
    busy: 'Inscription en cours...',
    failure: "Erreur lors de l'inscription",
  },
};
