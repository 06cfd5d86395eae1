import fp from 'fastify-plugin';
import type { IslandName, IslandProps, IslandRenderer } from '../../../islands/render.tsx';

export type { IslandProps };

declare module 'fastify' {
  interface FastifyReply {
    /**
     * The HTML of an island, rendered on the server, to be placed in a template unescaped.
     * `props` is plain JSON; a slot is HTML that stands in the document once and is adopted by the browser.
     */
    island<Name extends IslandName>(name: Name, props: IslandProps<Name>, slots?: Record<string, string>): string;
  }
}

export const islands = fp<{ render: IslandRenderer }>(
  async (app, { render }) => {
    app.decorateReply('island', function island(name, props, slots) {
      return render(name, props, slots);
    });
  },
  { name: 'islands' },
);
