/** Shown if the request could not be sent. */
export const unreachable = 'Erreur de connexion au serveur.';

export const views = {
  connexion: {
    action: '/api/admin/login',
    fields: ['email', 'password'],
    button: 'Se connecter',
    busy: 'Connexion en cours...',
    /** Shown if the response lacks a field of a success (specification §8). */
    unexpected: 'Erreur inattendue lors de la connexion.',
    /** Shown if the server's error has no message. */
    failure: unreachable,
    /** Shown if the request was sent but got no response. */
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
