import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import t from 'tap';

const Said = ({ what }: { what: string }) => (
  <p title={`Dit : ${what}`}>
    Vous avez dit « {what} » ? <b>{what}</b>
    Oui : {1} - deux, trois-quatre
    <select>
      <option>a : b</option>
    </select>
  </p>
);

t.test('French punctuation in components stays with its word, and no character changes', async (t) => {
  const mark = (text: string) => `<span class="nobreak">${text}</span>`;
  t.equal(
    renderToStaticMarkup(<Said what="rien ; ou presque" />),
    `<p title="Dit : rien ; ou presque"><span>Vous avez dit </span>${mark('« rien ;')}<span> ou </span>${mark('presque » ?')}<span> </span>` +
      `<b>${mark('rien ;')}<span> ou presque</span></b>${mark('Oui :')}<span> </span>${mark('1 -')}<span> deux, trois-quatre</span><select><option>a : b</option></select></p>`,
  );
});

const Counted = ({ count, more, children }: { count: number; more: boolean; children?: ReactNode }) => (
  <>
    Leçons ({count})<b>{count}</b>
    <p>
      {count} sur {count} {more && <i>terminés</i>}
    </p>
    <p>{children}</p>
    {[1, 'deux']}
  </>
);

t.test('no text is a sibling of an element, and consecutive texts become one', async (t) => {
  const written = (more: boolean) =>
    renderToStaticMarkup(
      <Counted count={3} more={more}>
        Un <a href="/">lien</a>
      </Counted>,
    );
  const around = (second: string) =>
    `<span>Leçons (3)</span><b>3</b>${second}<p><span>Un </span><a href="/">lien</a></p><span>1deux</span>`;
  t.equal(written(false), around('<p>3 sur 3 </p>'));
  t.equal(written(true), around('<p><span>3 sur 3 </span><i>terminés</i></p>'));
});
