import fp from 'fastify-plugin';

interface KnownRoute {
  method: string;
  url: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the application, as it was registered. */
    routeTable: KnownRoute[];
  }
}

/** Keeps the list of routes, so that what must hold for all of them can be checked on all of them. Registered before any route. */
export const routeTable = fp(
  async (app) => {
    app.decorate('routeTable', [] as KnownRoute[]);
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) {
        if (one !== 'HEAD' && one !== 'OPTIONS') app.routeTable.push({ method: one, url });
      }
    });
  },
  { name: 'route-table' },
);
