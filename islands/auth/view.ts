export const views = {
  connexion: {
    title: 'Connexion',
    purpose: (purpose: string) => `Connectez-vous pour ${purpose}`,
    action: '/api/users/login',
    button: 'Se connecter',
    busy: 'Connexion en cours...',
    /** Shown if the server's error has no message (specification §8). */
    failure: 'Erreur lors de la connexion',
  },
  inscription: {
    title: 'Inscription',
    purpose: (purpose: string) => `Inscrivez-vous pour ${purpose}`,
    action: '/api/users/register',
    button: "S'inscrire",
    busy: 'Inscription en cours...',
    failure: "Erreur lors de l'inscription",
  },
};

export type AuthView = keyof typeof views;
