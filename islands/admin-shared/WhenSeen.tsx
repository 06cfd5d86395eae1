import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Renders its content once it is about to be scrolled into view, so that scripts below a long text are fetched only then. */
export function WhenSeen({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      setSeen(true);
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return seen ? children : <div className="authoring__below" ref={place} />;
}
