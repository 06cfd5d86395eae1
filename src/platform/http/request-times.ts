/** Longest time for receiving a whole request, in ms. The reverse proxy (deploy/nginx) has a longer timeout. */
export const requestTimeoutMs = 120_000;
/** Longest time for receiving a request's headers, in ms. */
export const headersTimeoutMs = 10_000;
/** Interval at which the two limits above are checked, in ms. */
export const connectionsCheckingIntervalMs = 2_000;
/**
 * A connection without a byte in either direction is closed after this time, in ms: the client has stopped reading. Must exceed
 * requestTimeoutMs.
 */
export const silentConnectionMs = 130_000;
/** An idle keep-alive connection is closed after this time, in ms: Fastify's default. The reverse proxy closes its own earlier. */
export const keepAliveTimeoutMs = 72_000;
