import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadAssets } from '../../../src/platform/pages/assets.ts';
import { type Check, fault, good } from '../check.ts';

/** Timeout of the page, in ms. It is shorter than the check's: an unresponsive site is reported by `publicAddress`. */
const pageWithinMs = 7_000;

/** Checks that the running server has this command's release and serves the scripts and styles that its pages name. */
export const servedRelease: Check = {
  name: 'Version servie',
  inProduction: true,
  async look({ kernel: { config }, signal }) {
    // A wrong address and a stopped server are reported by the check `publicAddress`.
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
