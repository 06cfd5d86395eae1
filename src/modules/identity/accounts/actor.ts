/** The author of a change: an administrator, or the operator on the command line. */
export interface Actor {
  /** Null for the command line. */
  administratorId: string | null;
  name: string;
  /** Network of the request (networkOf); undefined for the command line. */
  network?: string | null;
}

export const terminal: Actor = { administratorId: null, name: 'terminal' };

/** Returns the actor for a person who is not signed in, such as during a sign-in attempt. */
export const stranger = (network: string): Actor => ({ administratorId: null, name: 'visiteur', network });

export type AdministratorActor = Actor & { administratorId: string };

export const actorOf = ({ id, username }: { id: string; username: string }, network: string | null = null): AdministratorActor => ({
  administratorId: id,
  name: username,
  network,
});
