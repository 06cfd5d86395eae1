import t from 'tap';
import { call, createTestApp } from './support/app.ts';
import { newPage } from './support/browser.ts';
import { createAdministrator, createDiscipline } from './support/factories.ts';
import { hostileFragments } from './support/hostile-html.ts';
import { isLongForm } from './support/long-form.ts';

// Whatever HTML an administrator's session sends, the stored and displayed text has only elements of the schema and text.

const site = await createTestApp(t);
const { app } = site;
const { session } = await createAdministrator(site);
const discipline = (await createDiscipline(site)).id;

const before = 'Une phrase avant.';
const after = 'Une phrase après.';
const around = (fragment: string): string => `<p>${before}</p>${fragment}<p>${after}</p>`;

/** The five HTML fields, by their API route. */
const kinds = [
  { path: 'lecons', fields: ['contenu'] },
  { path: 'exercices', fields: ['enonce', 'corrige'] },
  { path: 'anciens-sujets', fields: ['contenu', 'corrige'] },
] as const;

interface Stored {
  name: string;
  html: string;
}

async function send(method: 'POST' | 'PUT', path: string, fields: readonly string[], fragment: string, url: string): Promise<Stored[]> {
  const payload = {
    titre: 'Texte hostile',
    ...(path === 'anciens-sujets' && { annee: 2020 }),
    discipline_id: discipline,
    ...Object.fromEntries(fields.map((field) => [field, around(fragment)])),
  };
  const answer = await call(app, { method, url, session, payload });
  const item = answer.json();
  if (answer.statusCode !== (method === 'POST' ? 201 : 200)) {
    t.fail(`${method} ${path} answers ${answer.statusCode} to ${JSON.stringify(fragment)}: ${item.message}`);
    return [];
  }
  return fields.map((field) => ({
    name: `${method} ${path}.${field} ${JSON.stringify(fragment)}`,
    html: (item[field] as string | null) ?? '',
  }));
}

t.test(`${hostileFragments.length} fragments, in five fields, by POST and PUT`, async (t) => {
  t.ok(hostileFragments.length >= 150);
  const stored: Stored[] = [];
  const targets = new Map<string, number>();
  let expected = 0;
  for (const [index, fragment] of hostileFragments.entries()) {
    for (const [turn, { path, fields }] of kinds.entries()) {
      if (!targets.has(path)) {
        await send('POST', path, fields, 'x', `/api/${path}`);
        const [first] = (await call(app, { method: 'GET', url: `/api/${path}/discipline/${discipline}?textes=non`, session })).json();
        targets.set(path, first.id);
      }
      // Each fragment is sent by POST to one route and by PUT to the next; the long form sends all fragments to all routes.
      const mine = (index + turn) % kinds.length;
      if (isLongForm || mine === 0) {
        stored.push(...(await send('POST', path, fields, fragment, `/api/${path}`)));
        expected += fields.length;
      }
      if (isLongForm || mine === 1) {
        stored.push(...(await send('PUT', path, fields, fragment, `/api/${path}/${targets.get(path)}`)));
        expected += fields.length;
      }
    }
  }
  t.equal(stored.length, expected, 'every text was stored');

  const swallowed = stored.filter(({ html }) => !html.startsWith(`<p>${before}</p>`) || !html.includes(after));
  t.same(
    swallowed.slice(0, 10).map(({ name, html }) => `${name} is stored as ${html}`),
    [],
    `the sentences before and after each fragment are kept (${swallowed.length} were not)`,
  );

  // A page without a content security policy: the stored text must be harmless by itself.
  const page = await newPage(t, { width: 1280, baseURL: 'http://127.0.0.1', allow: [/ERR_/] });
  let ran = 0;
  await page.exposeFunction('hostileCodeRan', () => {
    ran += 1;
  });
  await page.addInitScript(() => {
    Object.assign(window, { alert: () => (window as unknown as { hostileCodeRan(): void }).hostileCodeRan() });
  });
  page.on('dialog', (dialog) => {
    ran += 1;
    dialog.dismiss();
  });
  await page.goto('about:blank');
  const sections = stored.map(({ html }, index) => `<section data-stored="${index}">${html}</section>`).join('\n');
  await page.setContent(`<!doctype html><html lang="fr"><body>${sections}</body></html>`);
  const strangers = await page.evaluate(() => {
    const plain =
      'p h1 h2 h3 h4 h5 h6 blockquote pre hr br ul ol li table thead tbody tr figure figcaption strong em u s sub sup code'.split(' ');
    const allowed: Record<string, Record<string, RegExp>> = {
      a: { href: /^(https?:\/\/|mailto:|tel:)/, rel: /^noopener noreferrer$/ },
      img: { src: /^(https?:\/\/|\/media\/)/, alt: /^/, width: /^\d+$/, height: /^\d+$/, loading: /^lazy$/, decoding: /^async$/ },
      span: { class: /^(formula|color-[a-z]+|bg-[a-z]+|hljs-[a-z_-]+)$/, 'data-latex': /^/ },
      div: {
        class: /^(formula-block|table-scroll|video)$/,
        'data-latex': /^/,
        'data-video': /^https:\/\//,
        'data-title': /^/,
        tabindex: /^0$/,
        role: /^group$/,
        'aria-label': /^(Formule|Tableau)$/,
      },
      td: { colspan: /^\d+$/, rowspan: /^\d+$/, class: /^w-\d+$/ },
      th: { colspan: /^\d+$/, rowspan: /^\d+$/, class: /^w-\d+$/, scope: /^(col|row)$/ },
      ol: { start: /^\d+$/, type: /^[aAiI]$/, 'data-label': /^(?:[1aAiI]\)|\([1aAiI]\))$/, dir: /^rtl$/ },
      ul: { dir: /^rtl$/ },
      code: { class: /^language-[a-z0-9+#-]+$/ },
    };
    const block = { class: /^((align-(left|center|right|justify)|indent-[1-8]) ?){1,2}$/, dir: /^rtl$/ };
    for (const name of ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']) allowed[name] = block;
    const found: string[] = [];
    for (const section of document.body.children) {
      if (!(section instanceof HTMLElement) || section.dataset.stored === undefined) found.push(`<${section.localName}> got out`);
      for (const element of section.querySelectorAll('*')) {
        const where = `${(section as HTMLElement).dataset.stored}: <${element.localName}`;
        const math = element.namespaceURI === 'http://www.w3.org/1998/Math/MathML';
        if (math) {
          if (!element.closest('.formula, .formula-block')) found.push(`${where}> outside a formula`);
          for (const { name } of element.attributes) if (/^on|href|src|style|action/i.test(name)) found.push(`${where} ${name}>`);
          continue;
        }
        if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(`${where}> of ${element.namespaceURI}`);
        if (!plain.includes(element.localName) && !allowed[element.localName]) found.push(`${where}>`);
        for (const { name, value } of element.attributes) {
          if (!allowed[element.localName]?.[name]?.test(value)) found.push(`${where} ${name}="${value}">`);
        }
      }
    }
    return { found, sections: document.querySelectorAll('section').length };
  });
  t.equal(strangers.sections, stored.length, 'no text closes its surrounding element');
  const named = strangers.found.slice(0, 10).map((line) => `${line} ${stored[Number.parseInt(line, 10)]?.name}`);
  t.same(named, [], `no element outside the schema (${strangers.found.length})`);

  for (const type of ['pointerover', 'click', 'focus', 'error', 'load', 'animationstart', 'toggle']) {
    await page.evaluate((type) => {
      for (const element of document.querySelectorAll('section *')) element.dispatchEvent(new Event(type, { bubbles: false }));
    }, type);
  }
  t.equal(ran, 0, 'no script of the text ran');
});
