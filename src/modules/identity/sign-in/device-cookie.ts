import { tokenCookie } from '../accounts/token-cookie.ts';
import { knownDays } from './known-device.repository.ts';

/** What a browser is known by from its sign-ins, beyond the sign-out: it is no session and opens nothing. */
export const deviceCookie = tokenCookie('deviceToken', { path: '/', maxAgeSeconds: knownDays * 86_400 });
