import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { IslandName, IslandProps, IslandRenderer } from '../../../islands/render.tsx';

export type { IslandProps };

/** Memory for islands that have been rendered, in letters. */
const cacheLetters = 4 * 1024 * 1024;
/** Of what is put into one that is kept: texts are kept with their pages. */
const keptSlotLetters = 4_000;

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
    // The same props give the same HTML, and most pages have an island of the same props as the one before.
    const rendered = new LRUCache<string, string>({ maxSize: cacheLetters, sizeCalculation: (html, key) => html.length + key.length });
    app.decorateReply('island', function island(name, props, slots) {
      const slotted = slots ? Object.entries(slots).flat().join(' ') : '';
      if (slotted.length > keptSlotLetters) return render(name, props, slots);
      const key = `${name} ${JSON.stringify(props)} ${slotted}`;
      const known = rendered.get(key);
      if (known !== undefined) return known;
      const html = render(name, props, slots);
      rendered.set(key, html);
      return html;
    });
  },
  { name: 'islands' },
);
