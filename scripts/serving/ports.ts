/** Claims ports before anything starts, so that a conflict is reported in one line and nothing must be stopped. */
import { freePort, listenOnce } from '../../src/platform/processes/free-port.ts';
import { ListenFailure } from '../../src/platform/processes/listen-failure.ts';

const SIMULATOR_PORT = 4010;

/** Returns the port of the site. Throws an Error with one French line. */
export async function sitePort(host: string, port: number): Promise<number> {
  try {
    return await claim(host, port);
  } catch (error) {
    throw new ListenFailure(error, host, port);
  }
}

/** Returns the site's address on this machine. */
export function siteAddress(host: string, port: number): string {
  return `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${port}`;
}

/**
 * Returns the ports of the ZitoPay and Notch Pay simulators. Ports from SIMULATOR_PORT and NOTCHPAY_SIMULATOR_PORT (default: the next one)
 * must be free; the default ports are replaced when taken. Throws an Error with one French line.
 */
export async function simulatorPorts(env: NodeJS.ProcessEnv = process.env): Promise<{ zitopay: number; notchpay: number }> {
  const zitopay = await wantedPort(env, 'SIMULATOR_PORT', SIMULATOR_PORT);
  return { zitopay, notchpay: await wantedPort(env, 'NOTCHPAY_SIMULATOR_PORT', zitopay + 1) };
}

async function wantedPort(env: NodeJS.ProcessEnv, name: string, usual: number): Promise<number> {
  const wanted = env[name];
  if (!wanted) return claim('127.0.0.1', usual).catch(() => claim('127.0.0.1', 0));
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535) throw new Error(`${name} doit être un nombre de 0 à 65535.`);
  return claim('127.0.0.1', Number(wanted)).catch(() => {
    throw new Error(`Le port ${wanted} est déjà utilisé : choisissez-en un autre avec ${name}.`);
  });
}

/** Returns the port when it is free, or any free port for 0. */
const claim = (host: string, port: number): Promise<number> => (port === 0 ? freePort(host) : listenOnce(host, port));
