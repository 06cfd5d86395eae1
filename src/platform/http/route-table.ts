import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /** All registered routes of the application, without HEAD and OPTIONS. */
    routeTable: { method: string; url: string }[];
  }
}

/** Records all routes, so that rules for all routes can be checked. Must be registered before any route. */
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
