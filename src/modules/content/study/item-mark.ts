/** What another room marks a learner's items with: the contents of a discipline show it, and the learner's pages link to all that carry it. */
export interface ItemMark {
  /** Its name in the answer with a discipline's marks. */
  field: string;
  /** In French, for the API's description. */
  description: string;
  /** SQL over a learner's id: whether item `i` carries it. */
  condition: (learner: string) => string;
  /** The page that lists them. */
  page: { href: string; label: string };
}
