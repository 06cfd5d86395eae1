/** Returns the line that asks for a superuser, if the owner could not restrict the roles' logging; otherwise no line. */
export const askForQuietLog = (permission: string | null): string[] =>
  permission === null
    ? []
    : [
        `Le journal de PostgreSQL peut recevoir des données de candidats : en superutilisateur, « ${permission} », puis « prepa db roles » (docs/database-roles.md).`,
      ];
