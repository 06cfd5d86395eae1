import type { Node } from 'prosemirror-model';
import { type Difference, differencesOf } from './differences.ts';

interface ComparisonProps {
  /** The name of the compared text, if there are several. */
  label: string | null;
  before: Node;
  after: Node;
}

/** Shows two texts as one: text only in the first is struck out, text only in the second underlined, common blocks are counted. */
export function Comparison({ label, before, after }: ComparisonProps) {
  const differences = differencesOf(before, after);
  if (!differences.some(({ what }) => what !== 'same')) return null;
  return (
    <section>
      {label && <h3 className="authoring__stored-label">{label}</h3>}
      <ol className="plain authoring__differences">
        {differences.map((difference, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is built once and never reordered
          <li key={index}>
            <Shown difference={difference} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Shown({ difference }: { difference: Difference }) {
  switch (difference.what) {
    case 'same':
      return <p className="field__hint">{`${difference.blocks} ${difference.blocks === 1 ? 'bloc identique' : 'blocs identiques'}`}</p>;
    case 'removed':
      return <del>{difference.text}</del>;
    case 'added':
      return <ins>{difference.text}</ins>;
    case 'changed':
      if (!difference.words) return <p className="field__hint">1 bloc aux mêmes mots, avec une autre mise en forme</p>;
      return difference.words.map(({ value, added, removed }, index) => {
        const Element = added ? 'ins' : removed ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is built once and never reordered
        return <Element key={index}>{value}</Element>;
      });
  }
}
