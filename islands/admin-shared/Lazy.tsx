import { type ComponentType, useEffect, useState } from 'react';
import { toast } from '../ui/toast.ts';

interface LazyProps<Props> {
  load: () => Promise<{ default: ComponentType<Props> }>;
  props: Props;
  onFailed: () => void;
}

/**
 * Renders a component whose script is loaded on first use. Calls `onFailed` if it cannot be loaded: React's own `lazy` would throw
 * and unmount the island with its unsaved text.
 */
export function Lazy<Props extends object>({ load, props, onFailed }: LazyProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the script is fetched once, when the component is mounted
  useEffect(() => {
    let current = true;
    load().then(
      (module) => current && setLoaded(() => module.default),
      () => {
        if (!current) return;
        toast('error', "Cette fenêtre n'a pas pu être chargée. Vérifiez votre connexion, puis réessayez.");
        onFailed();
      },
    );
    return () => {
      current = false;
    };
  }, []);

  return Loaded && <Loaded {...props} />;
}
