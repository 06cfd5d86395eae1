/** Returns what the operator has to ask a superuser for, where the owner could not give the roles a quiet log; no line where it could. */
export const askForQuietLog = (permission: string | null): string[] =>
  permission === null
    ? []
    : [
        `Le journal de PostgreSQL peut recevoir des données de candidats : en superutilisateur, « ${permission} », puis « prepa db roles » (docs/database-roles.md).`,
      ];
