/** Returns a signal that aborts with `signal`, or after `ms`. */
export function limited(signal: AbortSignal | undefined, ms: number): AbortSignal {
  const controller = new AbortController();
  const give = () => controller.abort();
  const timer = setTimeout(give, ms);
  if (signal?.aborted) give();
  signal?.addEventListener('abort', give, { signal: controller.signal });
  controller.signal.addEventListener('abort', () => clearTimeout(timer));
  return controller.signal;
}
