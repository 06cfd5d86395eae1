/** Who makes a change: an administrator, or the operator at the terminal. */
export interface Actor {
  /** Null for the terminal. */
  administratorId: string | null;
  name: string;
  /** From which network (networkOf); the terminal has none. */
  network?: string | null;
}

export const terminal: Actor = { administratorId: null, name: 'terminal' };

/** Nobody who is known: whoever tries to sign in, for instance. */
export const stranger = (network: string): Actor => ({ administratorId: null, name: 'visiteur', network });

export type AdministratorActor = Actor & { administratorId: string };

export const actorOf = ({ id, username }: { id: string; username: string }, network: string | null = null): AdministratorActor => ({
  administratorId: id,
  name: username,
  network,
});
