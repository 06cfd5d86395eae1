import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/limits/network.ts';
import { describeDevice } from './device.ts';
import { deviceCookie } from './device-cookie.ts';

/** From where somebody signs in, or asks for a letter. */
export const callerOf = (request: FastifyRequest) => ({
  network: networkOf(request.ip),
  /** What its owner knows the device by. */
  device: describeDevice(request.headers['user-agent']),
  /** What we may know the device by. */
  deviceToken: deviceCookie.presented(request),
});
export type Caller = ReturnType<typeof callerOf>;
