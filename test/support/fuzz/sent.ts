/** A request as it goes over the wire. Who sends it is a name, so that it can be sent again to another copy of the site. */
export interface Sent {
  viewer: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Why it is sent, for whoever reads a finding. */
  why: string;
}
