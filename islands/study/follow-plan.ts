/** Part of the window's height at which a heading counts as reached. */
const reached = 0.3;

/** Marks in a text's plan the part that is being read. Returns a function that stops it. */
export function followPlan(article: HTMLElement): () => void {
  const links = Array.from(article.querySelectorAll<HTMLAnchorElement>('.plan a'));
  const headings = links.map(({ hash }) => document.getElementById(hash.slice(1)));
  const mark = (): void => {
    const at = headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top < innerHeight * reached);
    links.forEach((link, index) => {
      link.ariaCurrent = index === at ? 'true' : null;
    });
  };
  mark();
  addEventListener('scroll', mark, { passive: true });
  return () => removeEventListener('scroll', mark);
}
