/** The nearest element around an event's target that matches, itself included. */
export function closest<Found extends HTMLElement = HTMLElement>(event: Event, selector: string): Found | null {
  return event.target instanceof Element ? event.target.closest<Found>(selector) : null;
}
