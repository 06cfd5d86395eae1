/** A form on a page. Every page of a run is parsed, so regular expressions are used: a DOM parser would be too slow. */
export interface Form {
  action: string;
  method: string;
  fields: Field[];
}

export interface Field {
  name: string;
  /** The type of an input, or `select` or `textarea`. */
  type: string;
  value: string;
  /** Values of the options. */
  options: string[];
}

const tags = /<(\/?form|input|select|option|textarea|button|a|img)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/g;

/** @param page the page's URL, to which forms without an action are sent */
export function readPage(html: string, page: string): { forms: Form[]; links: string[] } {
  const forms: Form[] = [];
  const links = new Set<string>();
  let form: Form | null = null;
  let field: Field | null = null;
  for (const [, tag = '', text = ''] of html.matchAll(tags)) {
    const at = attributes(text);
    const address = tag === 'a' ? at.href : tag === 'img' ? at.src : undefined;
    if (address?.startsWith('/') && !address.startsWith('//')) links.add(withoutFragment(address));
    if (tag === 'a' || tag === 'img') continue;
    // A form of a dialog is not sent to the server.
    if (tag === 'form' && at.method === 'dialog') form = null;
    else if (tag === 'form') {
      form = { action: withoutFragment(at.action || page), method: (at.method ?? 'get').toUpperCase(), fields: [] };
      forms.push(form);
    } else if (tag === '/form') form = null;
    else if (tag === 'option') field?.options.push(at.value ?? '');
    else if (tag === 'button') {
      if (form && at.formaction) forms.push({ ...form, action: withoutFragment(at.formaction) });
      if (form && at.name) form.fields.push({ name: at.name, type: 'button', value: at.value ?? '', options: [] });
    } else if (form && at.name) {
      const known = form.fields.find(({ name }) => name === at.name);
      field = { name: at.name, type: tag === 'input' ? (at.type ?? 'text') : tag, value: at.value ?? '', options: [] };
      if (known && field.type === 'radio') known.options.push(field.value);
      else form.fields.push(field.type === 'radio' ? { ...field, options: [field.value] } : field);
    }
  }
  return { forms, links: [...links] };
}

const withoutFragment = (address: string): string => address.replace(/#.*/s, '');

function attributes(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', double, single, bare] of text.matchAll(/([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g))
    found[name] = plain(double ?? single ?? bare ?? '');
  return found;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string): string => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');
