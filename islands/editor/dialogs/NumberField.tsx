import { TextField, type TextFieldProps } from './TextField.tsx';

interface NumberFieldProps extends Omit<TextFieldProps, 'error'> {
  min: number;
  max: number;
}

/** Returns `value` as an integer, or null if `value` is no integer from `min` to `max`. */
export function wholeNumber(value: string, min: number, max: number): number | null {
  return /^\s*\d{1,9}\s*$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : null;
}

/** A field for an integer. Shows an error as soon as the value is out of bounds. */
export function NumberField({ min, max, ...field }: NumberFieldProps) {
  const error = wholeNumber(field.value, min, max) === null ? `Un nombre de ${min} à ${max}` : undefined;
  return <TextField {...field} error={error} inputMode="numeric" autoComplete="off" onFocus={({ target }) => target.select()} />;
}
