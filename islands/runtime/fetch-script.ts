let attempts = 0;

/**
 * A script that is fetched when it is first needed. Chromium remembers that a script could not be fetched and refuses it from then on: without
 * network nothing is asked, and what failed all the same is asked for by another address.
 * @throws whatever `load` throws, or an Error without network
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
