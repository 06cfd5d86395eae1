import { hash, verify } from '@node-rs/argon2';

/** argon2id (the library's default), 19 MiB, 2 passes, 1 lane: OWASP's recommendation. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, options);

let decoy: Promise<string> | undefined;

/** Verifies against `stored`, or against a decoy when there is no account, so that both take the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('decoy');
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== null && matches;
}
