import type { FastifyRequest } from 'fastify';

export interface LandingFigure {
  /** '15+' */
  value: string;
  label: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What counts the landing page's figures in the database: they are of modules that this one does not know. Null until one of them says how. */
    landingFigures: { count: ((request: FastifyRequest) => Promise<LandingFigure[]>) | null };
  }
}
