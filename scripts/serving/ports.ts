/** Ports are claimed before anything starts, so that a fault is one line and nothing has to be undone. */
import { freePort, listenOnce } from '../../src/platform/processes/free-port.ts';
import { ListenFailure } from '../../src/platform/processes/listen-failure.ts';

const SIMULATOR_PORT = 4010;

/** The port of the site. Throws an Error with one French line. */
export async function sitePort(host: string, port: number): Promise<number> {
  try {
    return await claim(host, port);
  } catch (error) {
    throw new ListenFailure(error, host, port);
  }
}

/** The site's address as this machine reaches it. */
export function siteAddress(host: string, port: number): string {
  return `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${port}`;
}

/**
 * The ports of the payment simulators, ZitoPay's and Notch Pay's: those of SIMULATOR_PORT and NOTCHPAY_SIMULATOR_PORT (else the next one)
 * must be free when they are given, the usual ones may give way. Throws as above.
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

/** The port itself when it is free, or one that is when 0 was asked for. */
const claim = (host: string, port: number): Promise<number> => (port === 0 ? freePort(host) : listenOnce(host, port));
