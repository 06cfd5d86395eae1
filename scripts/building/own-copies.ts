import type { Plugin } from 'vite';

const mark = '?hors-ligne';
/** What keeps and shows prepas without network. */
const owner = /\/islands\/offline\//;
/** What it shares with pages that do not. */
const copied = /\/src\/shared\/[^?]+\.ts$|\/islands\/(?:runtime\/(?:busy|without-network)|study\/say-mark)\.ts$/;

/**
 * Gives what works without network its own copies of small shared modules. Otherwise the build would move each into a chunk that all pages fetch separately, also those
 * of learners who keep nothing.
 */
export function ownCopies(): Plugin {
  return {
    name: 'own-copies',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    async resolveId(source, importer, options) {
      if (!importer || !(owner.test(importer) || importer.endsWith(mark))) return null;
      const resolved = await this.resolve(source, importer.replace(mark, ''), { ...options, skipSelf: true });
      return resolved && !resolved.external && copied.test(resolved.id) ? `${resolved.id}${mark}` : resolved;
    },
  };
}
