import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { siteSecret } from '../../../platform/database/site-secret.ts';
import type { LetterKind } from './letter-choice.repository.ts';

/** What a link in a letter ends. */
export interface Unsubscription {
  /** Id of the row with the learner's choices. */
  choiceId: number;
  kind: LetterKind;
}

const letterOf: Record<LetterKind, string> = { weekly: 'h', ends: 'f' };
const form = /^([hf])([1-9a-z][0-9a-z]{0,5})\.([\w-]{22})$/;

/**
 * Signs links that end letters without a session. A token has the number of a row and a keyed hash, and no personal data. It does not expire,
 * because a link in an old letter must work too, and it can only end letters.
 */
class UnsubscriptionSigner {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  sign({ choiceId, kind }: Unsubscription): string {
    const named = letterOf[kind] + choiceId.toString(36);
    return `${named}.${this.#hash(named)}`;
  }

  /** Returns what a token ends; null for a token that this site has not signed. */
  read(token: string): Unsubscription | null {
    const [, letter = '', number = '', given = ''] = form.exec(token) ?? [];
    if (!timingSafeEqual(Buffer.from(this.#hash(letter + number)), Buffer.from(given.padEnd(22)))) return null;
    return { choiceId: Number.parseInt(number, 36), kind: letter === letterOf.weekly ? 'weekly' : 'ends' };
  }

  #hash(named: string): string {
    return createHmac('sha256', this.#secret).update(named).digest('base64url').slice(0, 22);
  }
}

/** Returns a reader of the signer. Its secret is read from the database at the first call. */
export function unsubscriptionSigner(): (em: EntityManager) => Promise<UnsubscriptionSigner> {
  const secret = siteSecret('letters');
  return async (em) => new UnsubscriptionSigner(await secret(em));
}

export const unsubscriptionPath = (token: string): string => `/lettres/${token}`;

/**
 * Returns the headers with which a mail program offers to unsubscribe (RFC 2369, 8058): by a POST to the link, or by a message to the
 * support, who opens the link by hand.
 * @param link address of the page @param token the link's token
 */
export const unsubscriptionHeaders = (link: string, token: string, supportEmail: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>, <mailto:${supportEmail}?subject=${encodeURIComponent(`Désinscription ${token}`)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
