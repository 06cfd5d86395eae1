/** HTML that is safe to insert into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | undefined | readonly Html[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function write(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(write).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Template tag that escapes every value except {@link Html}. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + write(values[index - 1]) + part));
}

/** Returns a complete French page of the simulator. */
export function page(title: string, content: Html, script = false): string {
  return html`<!DOCTYPE html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Simulateur de paiement</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/css/checkout.css">
${script ? html`<script src="/assets/js/checkout.js" defer></script>` : ''}
</head>
<body>
<header><p><strong>Simulateur de paiement</strong> : aucun argent ne circule.</p></header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
