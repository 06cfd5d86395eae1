/** The call did not go out. */
export const unreachable = 'Erreur de connexion au serveur.';

export const views = {
  connexion: {
    action: '/api/admin/login',
    fields: ['email', 'password'],
    button: 'Se connecter',
    busy: 'Connexion en cours...',
    /** Specification §8: the answer lacks what a success has. */
    unexpected: 'Erreur inattendue lors de la connexion.',
    /** The server answers, and says nothing better. */
    failure: unreachable,
    /** The call went out, and no answer came. */
    silence: unreachable,
  },
  inscription: {
    action: '/api/admin/register',
    fields: ['adminKey1', 'adminKey2', 'username', 'email', 'password', 'confirmPassword', 'role'],
    button: "S'inscrire",
    busy: 'Inscription en cours...',
    unexpected: "Erreur inattendue lors de l'inscription.",
    failure: "Une erreur est survenue lors de l'inscription.",
    silence: 'Aucune réponse reçue du serveur.',
  },
};

export type AdminAuthView = keyof typeof views;
