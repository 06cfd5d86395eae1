/** First sentence of every message shown without network. */
export const withoutNetwork = 'Vous êtes hors connexion.';

/** Returns true when the browser is certain that there is no network. False is no guarantee of a connection. Always false on the server. */
export const isOffline = (): boolean => typeof navigator !== 'undefined' && navigator.onLine === false;
