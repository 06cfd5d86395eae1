/** The role that sends the request. */
export type Who = 'visitor' | 'learner' | 'administrator';

export interface Visit {
  /** The route as registered, with its method. */
  route: string;
  /** Distinguishes several visits of the same route. */
  of?: string;
  path: string;
  who: Who;
  method?: 'GET' | 'POST' | 'PUT';
  /** A constant body, or a function that makes one for each request. */
  body?: object | (() => object);
  /** A file with as many rows as requested: the time to its first byte is compared. */
  streamed?: boolean;
  /** The expected status, if it is not 200: a redirection, a refusal. */
  status?: number;
}
