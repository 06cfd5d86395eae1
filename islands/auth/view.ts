export const views = {
  connexion: {
    title: 'Connexion',
    action: '/api/users/login',
    button: 'Se connecter',
    busy: 'Connexion en cours...',
    /** Specification §8, when the server says nothing better. */
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

export type AuthView = keyof typeof views;
