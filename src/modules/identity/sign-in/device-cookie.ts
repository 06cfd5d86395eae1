import { tokenCookie } from '../accounts/token-cookie.ts';
import { knownDays } from './known-device.repository.ts';

/** Cookie that identifies a browser that has signed in before. It outlasts the sign-out, and gives no access by itself. */
export const deviceCookie = tokenCookie('deviceToken', { path: '/', maxAgeSeconds: knownDays * 86_400 });
