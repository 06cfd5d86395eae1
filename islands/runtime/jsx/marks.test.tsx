import { renderToStaticMarkup } from 'react-dom/server';
import t from 'tap';

const Said = ({ what }: { what: string }) => (
  <p title={`Dit : ${what}`}>
    Vous avez dit « {what} » ? <b>{what}</b>
    Oui : {1}
    <select>
      <option>a : b</option>
    </select>
  </p>
);

t.test('what components write keeps the marks of French with their words, and its characters', async (t) => {
  const mark = (text: string) => `<span class="nobreak">${text}</span>`;
  t.equal(
    renderToStaticMarkup(<Said what="rien ; ou presque" />),
    `<p title="Dit : rien ; ou presque">Vous avez dit ${mark('« ')}${mark('rien ;')} ou presque${mark(' » ?')} ` +
      `<b>${mark('rien ;')} ou presque</b>${mark('Oui :')} 1<select><option>a : b</option></select></p>`,
  );
});
