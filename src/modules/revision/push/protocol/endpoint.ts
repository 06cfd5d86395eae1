import { isIP } from 'node:net';
import { isPrivateHost } from '../../../../platform/settings/production-settings.ts';

/** Longest endpoint that is stored, in characters. Those of known services have fewer than 500. */
const maxEndpoint = 1_000;
/** Longest host, in characters: the longest name of the DNS is shorter. */
const maxHost = 255;

/**
 * Returns the host, with its port, of a push service; null for an address to which the site must not send: one that is not https on the
 * usual port, that carries credentials, or whose host is an IP address or belongs to a private network.
 * @param local whether a service on this machine is accepted, as tests have one
 */
export function pushServiceOf(endpoint: string, local: boolean): string | null {
  if (endpoint.length > maxEndpoint || endpoint.includes('\0') || !URL.canParse(endpoint)) return null;
  const { protocol, host, hostname, port, username, password } = new URL(endpoint);
  if (local && protocol === 'http:' && hostname === '127.0.0.1') return host;
  const name = hostname.replace(/^\[|\]$|\.+$/g, '');
  const isPublic = protocol === 'https:' && port === '' && username + password === '' && isIP(name) === 0 && !isPrivateHost(name);
  return isPublic && host.length <= maxHost ? host : null;
}
