import type { FastifyRequest } from 'fastify';

/**
 * Returns what a visitor can do at a path after the sign-in, as the end of 'Connectez-vous pour …'; null for other paths. Its text is shown to
 * everybody who knows the path.
 */
type SignInPurpose = (request: FastifyRequest, path: string) => Promise<string | null>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Other modules add theirs, since this one does not know their tables. */
    signInPurposes: SignInPurpose[];
  }
}

/** Returns the purpose of a sign-in that leads to `suite`; null when no module names one. */
export async function signInPurpose(request: FastifyRequest, suite: string | null): Promise<string | null> {
  if (suite === null) return null;
  for (const purposeOf of request.server.signInPurposes) {
    const purpose = await purposeOf(request, suite);
    if (purpose !== null) return purpose;
  }
  return null;
}
