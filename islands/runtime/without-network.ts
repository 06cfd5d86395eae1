/** How every message begins that is shown without network. */
export const withoutNetwork = 'Vous êtes hors connexion.';

/** Whether the browser knows that there is no network; true is certain, false is not. On the server there always is one. */
export const isOffline = (): boolean => typeof navigator !== 'undefined' && navigator.onLine === false;
