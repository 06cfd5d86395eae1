import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/limits/network.ts';
import { describeDevice } from './device.ts';
import { deviceCookie } from './device-cookie.ts';

/** Returns network and device of a request, for sign-ins and requests of e-mails. */
export const callerOf = (request: FastifyRequest) => ({
  network: networkOf(request.ip),
  /** Description of the device for its owner. */
  device: describeDevice(request.headers['user-agent']),
  /** Token of the known device, if the browser has one. */
  deviceToken: deviceCookie.presented(request),
});
export type Caller = ReturnType<typeof callerOf>;
