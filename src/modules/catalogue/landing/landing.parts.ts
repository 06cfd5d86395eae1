import type { FastifyRequest } from 'fastify';

export interface LandingFigure {
  /** '15+' */
  value: string;
  label: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the landing page's figures. Set by another module, since this one does not know the counted tables; null until then. */
    landingFigures: { count: ((request: FastifyRequest) => Promise<LandingFigure[]>) | null };
  }
}
