import fp from 'fastify-plugin';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { catalogueAdministrationPages } from './administration.pages.ts';
import { catalogueAdministrationRoutes } from './administration.routes.ts';
import { cataloguePages } from './catalogue.pages.ts';
import { catalogueRoutes } from './catalogue.routes.ts';

export type { Loss } from './catalogue.events.ts';
export { presentDiscipline, presentDisciplineCard, presentPrepa, presentPrepaCard } from './catalogue.presenter.ts';
export type { DisciplineRow, PrepaRow } from './catalogue.repository.ts';
export { findDiscipline, findPrepa, findPrepaWithDisciplines, listDisciplines, listPublished } from './catalogue.repository.ts';
export { Discipline } from './discipline.entity.ts';
export { Prepa } from './prepa.entity.ts';

/** Prepas and disciplines, the landing page that shows them, and the screen where administrators edit them. */
export const catalogue = fp<{ kernel: ModuleKernel }>(
  async (app, { kernel }) => {
    await app.register(catalogueRoutes, { prefix: '/api' });
    await app.register(catalogueRoutes);
    await app.register(catalogueAdministrationRoutes, { prefix: '/api' });
    await app.register(catalogueAdministrationRoutes);
    await app.register(cataloguePages, { kernel });
    await app.register(catalogueAdministrationPages);
  },
  { name: 'catalogue', dependencies: ['identity'] },
);
