import type { Plugin } from 'vite';
import { templateEngine } from '../../src/platform/pages/template-engine.ts';

const engine = templateEngine({ strict: false });

/**
 * A view as a module: the function that the server would make of it, which a page's policy lets no browser make. `renderView` of the islands calls it.
 * @public Tests load views by it (test/support/tsx-hook.mjs).
 */
export const compiledView = (template: string): string => `export default function view(it, options) {${engine.compileToString(template)}}`;

/** Lets islands import views. */
export function compiledViews(): Plugin {
  return {
    name: 'compiled-views',
    transform: {
      filter: { id: /\.eta$/ },
      handler: (template) => ({ code: compiledView(template), map: null }),
    },
  };
}
