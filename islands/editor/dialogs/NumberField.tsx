import type { Ref } from 'react';
import { FieldFrame, fieldAttributes } from '../../ui/FieldFrame.tsx';

interface NumberFieldProps {
  ref?: Ref<HTMLInputElement>;
  id: string;
  label: string;
  hint?: string;
  value: string;
  min: number;
  max: number;
  onChange: (value: string) => void;
}

/** The whole number that `value` says, or null when it is none between `min` and `max`. */
export function wholeNumber(value: string, min: number, max: number): number | null {
  return /^\s*\d{1,9}\s*$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : null;
}

/** A field for a whole number; says at once when it is out of bounds. */
export function NumberField({ ref, value, min, max, onChange, ...texts }: NumberFieldProps) {
  const error = wholeNumber(value, min, max) === null ? `Un nombre de ${min} à ${max}` : undefined;
  const field = { ...texts, error };
  return (
    <FieldFrame
      {...field}
      control={
        <input
          {...fieldAttributes(field)}
          ref={ref}
          className="input"
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => onChange(target.value)}
        />
      }
    />
  );
}
