import { get } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { dayMs, formatInstant } from '../../../src/shared/dates.ts';
import { type Check, fault, good, type Verdict } from '../check.ts';

/** Validity left, in ms, below which a renewal is overdue; for a certificate of less than 80 days, a quarter of its validity. */
const expiresWithinMs = 20 * dayMs;

/** Checks that PUBLIC_URL leads to this site and that browsers accept its certificate. */
export const publicAddress: Check = {
  name: 'Adresse publique',
  inProduction: true,
  async look({ kernel: { config, clock }, signal }) {
    const origin = config.publicUrl ?? '';
    const { host } = new URL(origin);
    let answer: Answer;
    try {
      answer = await ask(`${origin}/healthz`, signal);
    } catch (error) {
      return fault(
        `${host} est injoignable d'ici (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
        "vérifiez son nom dans le DNS et le proxy ; si cette machine ne peut pas s'atteindre par son nom public, ajoutez-le à /etc/hosts",
      );
    }
    return (
      certificateFault(host, answer, clock.now()) ??
      siteFault(host, answer) ??
      good(`${host} mène ici, certificat valable jusqu'au ${formatInstant(answer.validTo)}`)
    );
  },
};

interface Answer {
  status: number;
  body: string;
  /** The reason for which browsers would refuse the certificate, or null. */
  refusal: string | null;
  validFrom: Date;
  validTo: Date;
}

/** Requests the address and accepts any certificate, so that a bad one can be described. The request holds no secrets. */
function ask(address: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(
      address,
      { rejectUnauthorized: false, agent: false, signal, headers: { accept: 'application/json' } },
      (response) => {
        const socket = response.socket as TLSSocket;
        const { valid_from, valid_to } = socket.getPeerCertificate();
        // `authorizationError` is a string code, although its type is Error.
        const refusal = socket.authorized ? null : String(socket.authorizationError);
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
          if (body.length > 65_536) response.destroy();
        });
        response.on('close', () =>
          resolve({ status: response.statusCode ?? 0, body, refusal, validFrom: new Date(valid_from), validTo: new Date(valid_to) }),
        );
      },
    );
    request.on('error', reject);
  });
}

const renew = 'renouvelez-le (« certbot renew »), puis rechargez le proxy';

function certificateFault(host: string, { refusal, validFrom, validTo }: Answer, now: Date): Verdict | null {
  if (refusal === 'CERT_HAS_EXPIRED') return fault(`le certificat de ${host} a expiré le ${formatInstant(validTo)}`, renew);
  if (refusal === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return fault(`le certificat présenté pour ${host} est celui d'un autre nom`, 'donnez au proxy un certificat de ce nom');
  if (refusal !== null)
    return fault(
      `le certificat de ${host} n'est signé par aucune autorité connue (${refusal})`,
      "prenez-en un d'une autorité publique (« certbot »), et donnez au proxy la chaîne entière (fullchain.pem)",
    );
  const left = validTo.getTime() - now.getTime();
  const lifetime = validTo.getTime() - validFrom.getTime();
  return left < Math.min(expiresWithinMs, lifetime / 4)
    ? fault(`le certificat de ${host} expire le ${formatInstant(validTo)}`, renew)
    : null;
}

function siteFault(host: string, { status, body }: Answer): Verdict | null {
  if (status === 200 && isHealthy(body)) return null;
  if ([502, 503, 504].includes(status))
    return fault(
      `${host} répond ${status}, son proxy n'atteint pas le serveur`,
      'démarrez le serveur, et dites au proxy où il écoute (HOST, PORT)',
    );
  return fault(`${host} répond ${status}, et ce n'est pas ce site`, 'corrigez PUBLIC_URL, ou menez ce nom au proxy de ce site');
}

function isHealthy(body: string): boolean {
  try {
    return (JSON.parse(body) as { status?: unknown } | null)?.status === 'ok';
  } catch {
    return false;
  }
}
