import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { catalogueAdministrationPages } from './administration/administration.pages.ts';
import { catalogueAdministrationRoutes } from './administration/administration.routes.ts';
import { coverPrunings } from './covers/cover.prunings.ts';
import { storedCovers } from './covers/covers.ts';
import { landingPages } from './landing/landing.pages.ts';
import { catalogueRoutes } from './prepas/catalogue.routes.ts';
import { Discipline } from './prepas/discipline.entity.ts';
import { Prepa } from './prepas/prepa.entity.ts';

export { coverFault, coverPreview, storeCover } from './covers/cover-images.ts';
export type { LandingExam, LandingFigure } from './landing/landing.parts.ts';
export type { Loss } from './prepas/catalogue.events.ts';
export { presentDiscipline, presentDisciplineCard, presentPrepa, presentPrepaCard } from './prepas/catalogue.presenter.ts';
export type { DisciplineRow, PrepaRow } from './prepas/catalogue.repository.ts';
export { findDiscipline, findPrepa, listDisciplines, listPublished, prepaMatches } from './prepas/catalogue.repository.ts';
export { prepaSearch } from './prepas/catalogue.schemas.ts';
export { Discipline } from './prepas/discipline.entity.ts';
export { Prepa } from './prepas/prepa.entity.ts';

/** Registers prepas and disciplines, the landing page, and the screen where administrators edit them. */
const plugin = fp<{ kernel: ModuleKernel }>(
  async (app, { kernel }) => {
    app.decorate('landingParts', { figures: null, exams: null });
    await registerCalls(app, catalogueRoutes, {});
    await registerCalls(app, catalogueAdministrationRoutes, {});
    await app.register(landingPages, { kernel });
    await app.register(catalogueAdministrationPages);
  },
  { name: 'catalogue', dependencies: ['identity'] },
);

export const catalogue = { plugin, entities: [Prepa, Discipline], storedFiles: [storedCovers], prunings: coverPrunings };
