/** Sets of expressions that a statement requires to be equal (union-find). */
export class Equalities {
  readonly #parents = new Map<string, string>();

  /** Returns the representative of the node's set. */
  of(node: string): string {
    let root = node;
    for (let above = this.#parents.get(root); above !== undefined; above = this.#parents.get(root)) root = above;
    return root;
  }

  join(one: string | null, other: string | null): void {
    if (one === null || other === null) return;
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.#parents.set(a, b);
  }
}
