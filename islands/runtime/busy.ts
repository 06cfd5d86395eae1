/** After how long to ask again a server that has too much to do, in ms; null: it has answered. Up to twice what it says, so that those who were refused together do not come back together. */
export function pauseBeforeRetry({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after'));
  return status === 503 && seconds > 0 ? seconds * 1000 * (1 + Math.random()) : null;
}
