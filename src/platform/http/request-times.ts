/** How long a whole request may take to be sent, in ms. What stands before the server (deploy/nginx) waits longer. */
export const requestTimeoutMs = 120_000;
/** How long the headers of a request may take, in ms. */
export const headersTimeoutMs = 10_000;
/** How often the two limits above are checked, in ms. */
export const connectionsCheckingIntervalMs = 2_000;
/** How long a connection may stay without a byte in either direction, in ms: a client that stops reading its answer is disconnected. Longer than any request may take. */
export const silentConnectionMs = 130_000;
/** How long a connection that nobody uses stays open, in ms: Fastify's own default. What stands before the server ends its own earlier. */
export const keepAliveTimeoutMs = 72_000;
