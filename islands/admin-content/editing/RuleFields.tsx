import { Field } from '../../ui/Field.tsx';

interface RuleFieldsProps {
  id: string;
  /** The rule as typed: '1 ; -0,25 ; 0'. */
  typed: string;
  error: string | undefined;
  onType: (typed: string) => void;
}

const labels = ['Points si juste', 'Points si faux', 'Points sans réponse'];

/** The three numbers of a series' marking rule. A fault of the rule stands at the first of them. */
export function RuleFields({ id, typed, error, onType }: RuleFieldsProps) {
  const parts = typed.split(';').map((part) => part.trim());
  return labels.map((label, index) => (
    <Field
      key={label}
      id={`${id}-bareme-${index}`}
      label={label}
      error={index === 0 ? error : undefined}
      input={{
        type: 'text',
        autoComplete: 'off',
        inputMode: index === 0 ? 'decimal' : 'text',
        value: parts[index] ?? '',
        onChange: ({ target }) => onType(labels.map((_, at) => (at === index ? target.value.replaceAll(';', '') : parts[at])).join(' ; ')),
      }}
    />
  ));
}
