import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/limits/network.ts';
import { describeDevice } from './device.ts';
import { deviceCookie } from './device-cookie.ts';

/** From where somebody signs in, or asks for a letter. */
export interface Caller {
  network: string;
  /** What its owner knows the device by (describeDevice). */
  device: string | null;
  /** What we may know the device by. */
  deviceToken: string | null;
}

export const callerOf = (request: FastifyRequest): Caller => ({
  network: networkOf(request.ip),
  device: describeDevice(request.headers['user-agent']),
  deviceToken: deviceCookie.presented(request),
});
