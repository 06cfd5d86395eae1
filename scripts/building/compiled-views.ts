import type { Plugin } from 'vite';
import { templateEngine } from '../../src/platform/pages/template-engine.ts';

const engine = templateEngine({ strict: false });

/**
 * Returns a view as a module that exports its compiled function. Browsers cannot compile views, because the page's policy forbids eval. The
 * islands' `renderView` calls it.
 * @public Tests load views with it (test/support/tsx-hook.mjs).
 */
export const compiledView = (template: string): string => `export default function view(it, options) {${engine.compileToString(template)}}`;

/** Vite plugin that lets islands import views. */
export function compiledViews(): Plugin {
  return {
    name: 'compiled-views',
    transform: {
      filter: { id: /\.eta$/ },
      handler: (template) => ({ code: compiledView(template), map: null }),
    },
  };
}
