/** How long a whole request may take to be sent, in ms. What stands before the server (deploy/nginx) waits longer. */
export const requestTimeoutMs = 120_000;
/** Its headers alone. */
export const headersTimeoutMs = 30_000;
/** How long a connection that nobody uses stays open, in ms: Fastify's own default. What stands before the server ends its own earlier. */
export const keepAliveTimeoutMs = 72_000;
