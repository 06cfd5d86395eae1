import t from 'tap';
import { templateEngine } from './template-engine.ts';

/** Renders the template 'page' with these locals. */
function render(templates: Record<string, string>, locals: object, strict: boolean): string {
  const eta = templateEngine({ strict });
  for (const [name, template] of Object.entries(templates)) eta.loadTemplate(`@${name}`, template);
  return eta.render('@page', locals);
}

const partial = '<%~ include("@partial", { own: "hers" }) %>';

t.test('writes given locals in every template', async (t) => {
  const templates = {
    page: `<% layout("@layout", { wide: true }) %><%= it.title %> ${partial}`,
    partial: '<%= it.own %>, <%= it.title %>',
  };
  const page = { ...templates, layout: '<p class="<%= it.wide %>"><%~ it.body %> <%= it.note %></p>' };
  for (const strict of [true, false]) {
    t.equal(render(page, { title: 'Accueil', note: null }, strict), '<p class="true">Accueil hers, Accueil null</p>');
  }
});

t.test('strict: reading a missing name throws, naming the template and the name', async (t) => {
  t.throws(() => render({ page: '<%= it.absent %>' }, {}, true), { message: '@page was not given absent' });
  t.throws(() => render({ page: '<% const { absent } = it; %>' }, {}, true), { message: '@page was not given absent' });
  t.throws(() => render({ page: '<% if (it.absent?.name) { %>x<% } %>' }, {}, true), { message: '@page was not given absent' });
  t.throws(() => render({ page: partial, partial: '<%= it.absent %>' }, {}, true), { message: '@partial was not given absent' });
  t.throws(() => render({ page: '<% layout("@layout") %>', layout: '<%= it.absent ?? "" %>' }, {}, true), {
    message: '@layout was not given absent',
  });
});

t.test('not strict: a missing name is undefined', async (t) => {
  t.equal(render({ page: '<%= it.absent ?? "rien" %>' }, {}, false), 'rien');
});

t.test('keeps French punctuation with its word, only in text, without changing characters', async (t) => {
  const template = `<p title="a : <%= it.text %> ?">L'heure ? « <%= it.text %> » : 12:30 <a href="/x ; y">ici !</a></p><% if (it.text) { %>; <% } %><option value="a : b">a : <%= it.text %></option><textarea>a ? <%= it.text %></textarea><svg><title>a ; b</title></svg><!-- a ? --><b>b ;</b><i>ENAM - <%= it.text %> · a-b</i>`;
  const page = render({ page: template }, { text: 'x : <y> & z;' }, true);
  const mark = (text: string) => `<span class="nobreak">${text}</span>`;
  t.equal(
    page,
    `<p title="a : x : &lt;y&gt; &amp; z; ?">L'${mark('heure ?')} ${mark('« ')}${mark('x :')} &lt;y&gt; &amp; z;${mark(' » :')} 12:30 <a href="/x ; y">${mark('ici !')}</a></p>; <option value="a : b">a : x : &lt;y&gt; &amp; z;</option><textarea>a ? x : &lt;y&gt; &amp; z;</textarea><svg><title>a ; b</title></svg><!-- a ? --><b>${mark('b ;')}</b><i>${mark('ENAM -')} ${mark('x :')} &lt;y&gt; &amp; z;${mark(' ·')} a-b</i>`,
  );
});
