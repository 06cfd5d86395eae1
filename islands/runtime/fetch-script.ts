let attempts = 0;

/**
 * Loads a script with `load`, a dynamic import. Chromium caches a failed import and never fetches that URL again. Therefore nothing is
 * imported without network, and a failed script is imported again under a URL with another query string.
 * @throws the error of `load`; an Error without network
 */
export async function fetchScript<Module>(load: () => Promise<Module>): Promise<Module> {
  if (!navigator.onLine) throw new Error('without network');
  try {
    return await load();
  } catch (error) {
    const address = /https?:\/\/\S+?\.js/.exec(String(error))?.[0];
    if (!address) throw error;
    attempts += 1;
    return (await import(/* @vite-ignore */ `${address}?${attempts}`)) as Module;
  }
}
