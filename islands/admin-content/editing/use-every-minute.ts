import { useEffect, useEffectEvent } from 'react';

/** Interval at which unsaved text is kept on the server, in ms: a lost laptop loses a minute of work. */
const everyMs = 60_000;

/** Calls `act` every minute while the browser is online. */
export function useEveryMinute(act: () => void): void {
  const tick = useEffectEvent(() => {
    if (navigator.onLine) act();
  });
  useEffect(() => {
    const timer = setInterval(() => tick(), everyMs);
    return () => clearInterval(timer);
  }, []);
}
