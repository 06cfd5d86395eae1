/** As long as a call waits for its answer; a form that was stopped is then free again. */
const timeoutMs = 30_000;

/**
 * A plain form on its way is not sent once more by a second tap: the answer of the first would be lost, and the second be refused for what the first has
 * changed. The page that is come back to starts anew.
 */
export function startSubmitOnce(): void {
  let sent = new WeakSet<EventTarget>();
  // On the window: whatever sends a form in its own way has said so by then.
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== 'post' || event.defaultPrevented) return;
    if (sent.has(form)) return event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), timeoutMs);
  });
  addEventListener('pageshow', () => {
    sent = new WeakSet();
  });
}
