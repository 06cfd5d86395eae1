import type { Plugin } from 'vite';

const mark = '?copy';
/** The scripts that keep prepas and show them offline, and the one that plays a text's video. */
const owner = /\/islands\/(?:offline\/|behaviours\/play-video\.ts$)/;
/** Modules that these scripts share with other pages. */
const copied = /\/src\/shared\/[^?]+\.ts$|\/islands\/(?:runtime\/(?:busy|without-network)|study\/say-mark)\.ts$/;

/**
 * Vite plugin that gives the offline scripts and the video player their own copies of small shared modules. Otherwise the build would move
 * each module into a chunk that all pages fetch, even for learners who keep no prepa, and a video's addresses into the editor's chunk.
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
