/**
 * Returns the pause before an overloaded request (503 with Retry-After) is sent again, in ms; null for any other response.
 * Random, between one and two times Retry-After, so that clients refused at the same time do not retry at the same time.
 */
export function pauseBeforeRetry({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after'));
  return status === 503 && seconds > 0 ? seconds * 1000 * (1 + Math.random()) : null;
}
