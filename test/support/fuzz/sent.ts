/** A request as sent over the wire. The sender is a name, so that the request can be repeated on another copy of the site. */
export interface Sent {
  viewer: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Reason for the request, for readers of a finding. */
  why: string;
}
