import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the application, as it was registered. */
    routeTable: { method: string; url: string }[];
  }
}

/** Keeps the list of routes, so that what must hold for all of them can be checked on all of them. Registered before any route. */
export const routeTable = fp(
  async (app) => {
    app.decorate('routeTable', []);
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) {
        if (one !== 'HEAD' && one !== 'OPTIONS') app.routeTable.push({ method: one, url });
      }
    });
  },
  { name: 'route-table' },
);
