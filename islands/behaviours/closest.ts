/** Returns the closest matching element around an event's target, or the target itself. */
export function closest<Found extends HTMLElement = HTMLElement>(event: Event, selector: string): Found | null {
  return event.target instanceof Element ? event.target.closest<Found>(selector) : null;
}
