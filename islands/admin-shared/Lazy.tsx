import { type ComponentType, useEffect, useState } from 'react';
import { toast } from '../ui/toast.ts';

interface LazyProps<Props> {
  load: () => Promise<{ default: ComponentType<Props> }>;
  props: Props;
  onFailed: () => void;
}

/**
 * A component whose script is fetched when it is first needed. Without network that is said and given up: React's own `lazy` would throw, and
 * take the whole island with what is typed in it.
 */
export function Lazy<Props extends object>({ load, props, onFailed }: LazyProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once, when it appears
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
