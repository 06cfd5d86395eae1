import type { FastifyRequest } from 'fastify';

export interface LandingFigure {
  /** '15+' */
  value: string;
  label: string;
}

/** A mock exam that everybody may take. */
export interface LandingExam {
  href: string;
  /** `Concours blanc « ENAM »` */
  nom: string;
  /** The end of 'Inscrivez-vous pour …' */
  purpose: string;
  prepa: string;
  /** `Samedi 5 décembre, de 8 h à 12 h, durée 2 h` */
  window: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads parts of the landing page. Set by another module, since this one does not know the tables; null until then. */
    landingParts: {
      figures: ((request: FastifyRequest) => Promise<LandingFigure[]>) | null;
      exams: ((request: FastifyRequest) => Promise<LandingExam[]>) | null;
    };
  }
}
