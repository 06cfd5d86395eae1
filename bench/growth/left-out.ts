/** Routes that are not visited, by a pattern of method and path, with the reason. */
export const leftOut: readonly (readonly [RegExp, string])[] = [
  [
    /^\S+ \/(?!api\/|user\/|admin|login|inscription$|sitemap|metrics|readyz|$)/,
    'the same call without /api, a file, or a page that reads nothing',
  ],
  [/sitemap/, 'names every published prepa: it grows with its rows'],
  [/logout|deconnexion|DELETE \/api\/users\/sessions|DELETE \/api\/users\/notifications/, 'ends what it names, by its key'],
  [
    /\/(login|connexion|register|inscription|password|mot-de-passe|profile|profil)(\/|$)/,
    'what a password costs is argon2id; the account is found by a unique index',
  ],
  [/^(GET|POST) \/api\/payment\/(start|:provider)/, "asks a provider; measured by 'notifications in a second'"],
  [
    /^(POST|PUT|DELETE) .*\/(lecons|exercices|anciens-sujets|series(?!\/tentatives)|documents|images|imports|formules)/,
    'one item, by its key; what takes time is reading and writing its text',
  ],
  [/^(POST|PUT|DELETE) \/api\/(prepas|disciplines)/, 'one prepa or discipline, by its key; a deletion takes as long as what it deletes'],
  [
    /^GET .*\/(exercices|anciens-sujets)\/:id|\/series\/:id\/versions$|\/versions\/:version|\/documents\//,
    'one row by its key, as with lessons',
  ],
  [/^(POST|PUT) \/(user|admin)/, 'a form: it writes by keys, and its page is visited'],
  [
    /^POST \/api\/(questions|series\/tentatives|seances)\//,
    "an answer, limited per minute; measured by 'one answer', and its question's page is visited",
  ],
  [/^PUT \/api\/users\/notifications\/read/, "one learner's, as many as they have"],
  [
    /docs|openapi|\/success$|\/cancel$|\/admin$|\/:id\/(traiter|lien|desactiver|revoquer|supprimer|bloquer|debloquer)$|\/deux-etapes\/\w+$|robots|^GET \/user\/rappels|\/rouvert$/,
    'reads nothing, one row by its key, or leads to a page that is visited',
  ],
];
