import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { IslandName, IslandProps, IslandRenderer } from '../../../islands/render.tsx';

export type { IslandProps };

/** Size of the cache of rendered islands, in characters. */
const cacheLetters = 4 * 1024 * 1024;
/** Islands with longer slots are not cached, in characters: their pages are cached with these texts. */
const keptSlotLetters = 4_000;

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Returns an island's HTML, rendered on the server. Templates must insert it unescaped.
     * `props` is plain JSON. A slot is HTML that occurs once in the document; the island in the browser adopts it.
     */
    island<Name extends IslandName>(name: Name, props: IslandProps<Name>, slots?: Record<string, string>): string;
  }
}

export const islands = fp<{ render: IslandRenderer }>(
  async (app, { render }) => {
    // Cached: most pages have an island with the same props as an earlier page.
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
