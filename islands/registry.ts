import type { ComponentType } from 'react';

/** When an island's script is loaded: after the page's `load` event, when the island becomes visible, or at the first interaction. */
type Hydration = 'load' | 'visible' | 'interaction';

interface Island<Props> {
  hydrate: Hydration;
  load: () => Promise<{ default: ComponentType<Props> }>;
}

const island = <Props>(hydrate: Hydration, load: Island<Props>['load']): Island<Props> => ({ hydrate, load });

/** Every island of the site. The server imports all of them at start; the browser loads each one on demand. */
export const islands = {
  auth: island('interaction', () => import('./auth/Auth.tsx')),
  'admin-auth': island('interaction', () => import('./admin-auth/AdminAuth.tsx')),
  study: island('load', () => import('./study/Study.tsx')),
  'admin-catalogue': island('load', () => import('./admin-catalogue/AdminCatalogue.tsx')),
  'admin-content': island('load', () => import('./admin-content/AdminContent.tsx')),
  notifications: island('interaction', () => import('./notifications/Notifications.tsx')),
  payment: island('interaction', () => import('./payment/Payment.tsx')),
};

/** Behaviours that only some pages need, by the selector of their elements. Links and forms also work without them. */
export const behaviours: Record<string, () => Promise<{ start(element: HTMLElement): void }>> = {
  '.prose math': () => import('./formulas/copy-formulas.ts'),
  '.bell': () => import('./notifications/header/bell.ts'),
  '[data-behaviour="fresh"]': () => import('./behaviours/page-restored.ts'),
  '[data-drawer]': () => import('./behaviours/drawers.ts'),
  '[data-behaviour="catalogue"]': () => import('./behaviours/catalogue.ts'),
  '[data-behaviour="countdown"]': () => import('./behaviours/countdown.ts'),
  '[data-behaviour="kept-page"]': () => import('./offline/page/pages/kept-page.ts'),
  '[data-behaviour="keeping"]': () => import('./offline/page/keeping/index.ts'),
  '[data-behaviour="exam-room"]': () => import('./exams/room.ts'),
  '[data-behaviour="exam-ready"]': () => import('./exams/room.ts').then(({ startReady }) => ({ start: startReady })),
  '[data-behaviour="mail-domain"]': () => import('./behaviours/mail-domain.ts'),
  '[data-behaviour="print"]': () => import('./behaviours/print.ts'),
  '[data-behaviour="install"]': () => import('./behaviours/install.ts'),
  '[data-behaviour="reminder"]': () => import('./behaviours/reminder.ts'),
  '[data-behaviour="refresh"]': () => import('./behaviours/refresh.ts'),
  '[data-behaviour="points"]': () => import('./practice/points.ts'),
  '[data-behaviour="series"]': () => import('./questions/series.ts'),
  '[data-behaviour="timer"]': () => import('./practice/timer.ts'),
};

export type IslandName = keyof typeof islands;
export type IslandProps<Name extends IslandName> = (typeof islands)[Name] extends Island<infer Props> ? Props : never;
