import { type ComponentType, useEffect, useRef, useState } from 'react';
import { toast } from '../ui/toast.ts';

interface LazyProps<Props> {
  load: () => Promise<{ default: ComponentType<Props> }>;
  props: Props;
  onFailed: () => void;
  /** Whether the script is loaded only once the component's position is less than a screen away. */
  whenNear?: boolean;
}

/**
 * Renders a component whose script is loaded on first use. Calls `onFailed` if it cannot be loaded: React's own `lazy` would throw
 * and unmount the island with its unsaved text.
 */
export function Lazy<Props extends object>({ load, props, onFailed, whenNear = false }: LazyProps<Props>) {
  const [isNear, setNear] = useState(!whenNear);
  const position = useRef<HTMLDivElement>(null);
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);

  useEffect(() => {
    if (isNear || !position.current) return;
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: '100% 0px',
    });
    watch.observe(position.current);
    return () => watch.disconnect();
  }, [isNear]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the script is fetched once, when the component is mounted or near
  useEffect(() => {
    if (!isNear) return;
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
  }, [isNear]);

  if (!isNear) return <div ref={position} />;
  return Loaded && <Loaded {...props} />;
}
