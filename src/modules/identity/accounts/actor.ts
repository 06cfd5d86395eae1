/** Who makes a change: an administrator, or the operator at the terminal. */
export interface Actor {
  /** Null for the terminal. */
  administratorId: string | null;
  name: string;
}

export const terminal: Actor = { administratorId: null, name: 'terminal' };

export type AdministratorActor = Actor & { administratorId: string };

export const actorOf = ({ id, username }: { id: string; username: string }): AdministratorActor => ({
  administratorId: id,
  name: username,
});
