import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadAssets } from '../../src/platform/pages/assets.ts';
import { type Check, fault, good } from './check.ts';

/** What the page may take, in ms: less than the check, since a site that says nothing is told of by another line. */
const pageWithinMs = 7_000;

/** Whether the server that answers is of the same release as this command, and its pages' styles and scripts come with it. */
export const servedRelease: Check = {
  name: 'Version servie',
  inProduction: true,
  async look({ kernel: { config }, signal }) {
    // An address that does not lead here is told of by itself, and so is a server that is not there.
    const within = AbortSignal.any([signal, AbortSignal.timeout(pageWithinMs)]);
    const page = await fetch(`${config.publicUrl}/`, { signal: within, headers: { accept: 'text/html' } }).catch(() => null);
    if (!page?.ok) {
      await page?.body?.cancel();
      return null;
    }
    const named = [...new Set(Array.from((await page.text()).matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g), ([path]) => path))];
    if (named.length === 0) return null;
    const { folder } = loadAssets();
    const ours = new Set(readdirSync(join(folder ?? '', 'assets')).map((name) => `/assets/${name}`));
    const foreign = named.filter((path) => !ours.has(path));
    if (foreign.length > 0)
      return fault(
        `le serveur qui répond est d'une autre version que cette commande (${foreign[0]})`,
        'redémarrez-le après la mise à jour, ou lancez « prepa » depuis le dossier de sa version',
      );
    const answers = await Promise.all(
      named.map(async (path) => {
        const answer = await fetch(`${config.publicUrl}${path}`, { signal });
        await answer.body?.cancel();
        return { path, status: answer.status };
      }),
    );
    const lost = answers.find(({ status }) => status !== 200);
    if (lost)
      return fault(
        `${lost.path}, que ses pages nomment, répond ${lost.status}`,
        'laissez le serveur répondre à /assets/, ou donnez au proxy le dossier assets de DATA_DIR',
      );
    return good('celle de cette commande');
  },
};
