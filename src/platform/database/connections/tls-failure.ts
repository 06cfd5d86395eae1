/** Node's error codes for a certificate that it rejects. */
const codes = /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY|GET_ISSUER))/;

/**
 * Returns one French line that says why the TLS connection to PostgreSQL failed and how to fix it; null if the error has another cause.
 * @param address the setting that holds the server's address
 */
export function describeTlsFailure(error: unknown, address = 'DATABASE_URL'): string | null {
  if (!(error instanceof Error)) return null;
  const { code, message } = error as NodeJS.ErrnoException;
  if (message.includes('server does not support SSL'))
    return "PostgreSQL n'offre pas de chiffrement : réglez ssl=on chez lui, avec un certificat.";
  if (!codes.test(code ?? '')) return null;
  if (code === 'CERT_HAS_EXPIRED') return 'Le certificat de PostgreSQL a expiré : renouvelez-le.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `Le certificat de PostgreSQL n'est pas à ce nom : vérifiez ${address}.`;
  return `Le certificat de PostgreSQL vient d'une autorité inconnue (${code}) : nommez-la par sslrootcert dans ${address}.`;
}
