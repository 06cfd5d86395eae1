import { useEffect } from 'react';

/** Makes the browser ask before the page is left while `losable` is true. */
export function useLeaveWarning(losable: boolean): void {
  useEffect(() => {
    if (!losable) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [losable]);
}
