let attempts = 0;

/**
 * A script that is fetched when it is first needed. Chromium remembers that a script could not be fetched, and refuses it from then on: once
 * the network is back, the same script is asked for by another address.
 * @throws whatever `load` throws, while there is no network
 */
export async function fetchScript<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const address = /https?:\/\/\S+?\.js/.exec(String(error))?.[0];
    if (!address) throw error;
    attempts += 1;
    return (await import(/* @vite-ignore */ `${address}?${attempts}`)) as Module;
  }
}
