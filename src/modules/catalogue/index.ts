import fp from 'fastify-plugin';
import type { ModuleKernel } from '../../platform/kernel-access.ts';
import { cataloguePages } from './catalogue.pages.ts';
import { catalogueRoutes } from './catalogue.routes.ts';

export { presentDiscipline, presentDisciplineCard, presentPrepa, presentPrepaCard } from './catalogue.presenter.ts';
export type { DisciplineRow, PrepaRow } from './catalogue.repository.ts';
export { findDiscipline, findPrepa, findPrepaWithDisciplines, listDisciplines, listPublished } from './catalogue.repository.ts';
export { Discipline } from './discipline.entity.ts';
export { Prepa } from './prepa.entity.ts';

/** Prepas and disciplines, and the landing page that shows them. */
export const catalogue = fp<{ kernel: ModuleKernel }>(
  async (app, { kernel }) => {
    await app.register(catalogueRoutes, { prefix: '/api' });
    await app.register(catalogueRoutes);
    await app.register(cataloguePages, { kernel });
  },
  { name: 'catalogue', dependencies: ['identity'] },
);
