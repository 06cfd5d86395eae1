/** Who makes a change: an administrator, or the operator at the terminal. */
export interface Actor {
  /** Null for the terminal. */
  administratorId: string | null;
  name: string;
}

export const terminal: Actor = { administratorId: null, name: 'terminal' };

export const actorOf = ({ id, username }: { id: string; username: string }): Actor => ({ administratorId: id, name: username });
