import { useState } from 'react';
import { TextField, type TextFieldProps } from './TextField.tsx';

/** Holds a typed address and its error, which typing clears. */
export function useAddress(initial: string) {
  const [value, setValue] = useState(initial);
  const [error, setError] = useState<string>();
  return {
    value,
    error,
    refuse: setError,
    onChange(typed: string): void {
      setValue(typed);
      setError(undefined);
    },
  };
}

interface AddressFieldProps extends Pick<TextFieldProps, 'id' | 'label' | 'hint'> {
  address: ReturnType<typeof useAddress>;
}

export function AddressField({ address: { value, error, onChange }, ...texts }: AddressFieldProps) {
  return <TextField {...texts} error={error} inputMode="url" autoComplete="off" value={value} onChange={onChange} />;
}
