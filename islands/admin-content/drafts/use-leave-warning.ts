import { useEffect } from 'react';

/** The browser asks before the page is left, as long as something would be lost. */
export function useLeaveWarning(losable: boolean): void {
  useEffect(() => {
    if (!losable) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [losable]);
}
