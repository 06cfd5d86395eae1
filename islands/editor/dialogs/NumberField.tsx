import { TextField, type TextFieldProps } from './TextField.tsx';

interface NumberFieldProps extends Omit<TextFieldProps, 'error'> {
  min: number;
  max: number;
}

/** Returns `value` as an integer, or null if it is not one between `min` and `max`. */
export function wholeNumber(value: string, min: number, max: number): number | null {
  return /^\s*\d{1,9}\s*$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : null;
}

/** A field for an integer. Shows at once if it is out of bounds. */
export function NumberField({ min, max, ...field }: NumberFieldProps) {
  const error = wholeNumber(field.value, min, max) === null ? `Un nombre de ${min} à ${max}` : undefined;
  return <TextField {...field} error={error} inputMode="numeric" autoComplete="off" onFocus={({ target }) => target.select()} />;
}
