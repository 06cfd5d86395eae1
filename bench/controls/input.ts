// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are pieces of sources
import type { Controls } from './control.ts';

const hostileText = 'test/hostile-text.test.ts';
const badInput = 'test/bad-input.test.ts';
const addresses = 'src/shared/rich-text/addresses.ts';
const images = 'src/platform/files/image-source.ts';
const covers = 'src/modules/catalogue/covers/cover-images.test.ts';
const documents = 'src/modules/content/items/documents';
const word = 'src/modules/content/texts/docx';
const wordTest = 'src/modules/content/texts/worker/import-document.test.ts';

/** Input validation: texts, URLs, numbers, files. */
export const inputControls: Controls = {
  'templates-escape': {
    file: 'src/shared/view-values.ts',
    from: 'keepFrenchMarks(escapeValue(value))',
    to: 'keepFrenchMarks(String(value))',
    test: 'src/platform/pages/flash.test.ts',
    title: 'each kind, escaped',
  },
  'links-by-scheme': {
    file: addresses,
    from: 'const LINK = /^(?:https?:',
    to: 'const LINK = /^(?:javascript:|data:|https?:',
    test: hostileText,
    title: 'fragments, in five fields, by POST and PUT',
  },
  'return-paths': {
    file: 'src/modules/identity/sessions/return-path.ts',
    from: "return url.host === 'local.invalid' && isLocal(path) ? path : fallback;",
    to: 'return path || fallback;',
    test: 'src/modules/identity/sessions/return-path.test.ts',
    title: 'a return address is always a path of this site',
  },
  'texts-escaped': {
    file: 'src/shared/rich-text/serialise.ts',
    from: "return escapeText(node.text ?? '');",
    to: "return node.text ?? '';",
    test: hostileText,
    title: 'fragments, in five fields, by POST and PUT',
  },
  'like-escaped': {
    file: 'src/modules/identity/audit/audit.repository.ts',
    from: 'const written = text.replaceAll(/[\\\\%_]/g, String.raw`\\$&`);',
    to: 'const written = text;',
    test: 'src/modules/identity/audit/audit.pages.test.ts',
    title: 'filters work alone and combined, and invalid values are ignored',
  },
  'statements-with-parameters': {
    file: 'src/modules/identity/audit/audit.repository.ts',
    from: "if (words === undefined) return { text: 'label ilike ?', values: [`%${written}%`] };",
    to: "if (words === undefined) return { text: `label ilike '%${written}%'`, values: [] };",
    test: 'src/modules/identity/audit/audit.pages.test.ts',
    title: 'filters work alone and combined, and invalid values are ignored',
  },
  'ids-in-range': {
    file: 'src/platform/http/validators.ts',
    from: '.max(2_147_483_647, message)',
    to: '',
    test: badInput,
    title: 'hostile parameters of requests that change data',
  },
  'bodies-bounded': {
    file: 'src/app.ts',
    from: 'const bodyLimit = 64 * 1024;',
    to: 'const bodyLimit = 64 * 1024 * 1024;',
    test: badInput,
    title: 'an oversized body is a 413 in French',
  },
  'images-by-their-bytes': {
    file: images,
    from: 'if (!format || !formats.includes(format)) throw new ImageError(otherFormat);',
    to: '',
    test: covers,
    title: "a cover's type is recognised by its bytes",
  },
  'images-in-pixels': {
    file: images,
    from: 'refuseLarge(header);\n  return pixels;',
    to: 'void refuseLarge;\n  return pixels;',
    test: covers,
    title: 'formats that are decoded in memory as a whole have a lower size limit',
  },
  'images-without-metadata': {
    file: 'src/modules/catalogue/covers/cover-images.ts',
    from: ".resize({ ...master, fit: 'cover' })\n      .raw()\n      .toBuffer({ resolveWithObject: true }),\n  );\n  const draw = () => imageLibrary()(data, { raw: info });",
    to: ".resize({ ...master, fit: 'cover' })\n      .keepMetadata()\n      .png()\n      .toBuffer({ resolveWithObject: true }),\n  );\n  void info;\n  const draw = () => imageLibrary()(data).keepMetadata();",
    test: covers,
    title: 'the metadata of a picture is removed',
  },
  'uploads-bounded': {
    file: 'src/platform/files/uploads.ts',
    from: 'if (bytes > maxRequestBytes(kind)) reject(kind.tooLarge());',
    to: '',
    test: 'src/platform/files/uploads.test.ts',
    title: 'a form that is too large gets its response while being sent, and the connection stays open',
  },
  'documents-by-their-bytes': {
    file: `${documents}/document.service.ts`,
    from: 'if (!isPdf(file.bytes)) throw refused("Ce fichier n\'est pas un document PDF.");',
    to: 'void isPdf;',
    test: `${documents}/document.routes.test.ts`,
    title: 'a document is checked by its bytes, and its name is stored as one line',
  },
  'documents-named-by-us': {
    file: `${documents}/document.service.ts`,
    from: ".replaceAll(/[\\p{C}<>:\"|?*\\ufffd\\u2028\\u2029]/gu, ' ')",
    to: '',
    test: `${documents}/document.routes.test.ts`,
    title: 'a document is checked by its bytes, and its name is stored as one line',
  },
  'documents-run-nothing': {
    file: `${documents}/document.routes.ts`,
    from: "reply.header('content-security-policy', \"default-src 'none'; sandbox\").type('application/pdf');",
    to: "reply.type('application/pdf');",
    test: `${documents}/document.routes.test.ts`,
    title: 'a document is attached under its name, shown with the item, downloaded entirely and by range, and removed',
  },
  'archives-inflated-within-bounds': {
    file: `${word}/archive.ts`,
    from: 'const data = this.#read(name, Math.min(most, maxInflatedBytes - this.#inflated));',
    to: 'const data = this.#read(name, 4 * 1024 ** 3);',
    test: wordTest,
    title: 'a document made to exhaust the server is refused',
  },
  'xml-without-entities': {
    file: `${word}/xml.ts`,
    from: 'if (/<!(?:DOCTYPE|ENTITY)/i.test(markup)) throw unreadable();',
    to: '',
    test: wordTest,
    title: 'a document made to exhaust the server is refused',
  },
  'files-below-their-folder': {
    file: 'src/modules/content/seed/folder-files.ts',
    from: 'const inside = relative(this.#root, await realpath(path));',
    to: 'const inside = relative(this.#root, path);',
    test: 'src/modules/content/seed/read-folder.test.ts',
    title: 'nothing outside the folder is read',
  },
  'json-without-prototypes': {
    file: 'src/app.ts',
    from: "app.getDefaultJsonParser('error', 'error')",
    to: "app.getDefaultJsonParser('ignore', 'ignore')",
    test: badInput,
    title: 'JSON that reaches for a prototype is refused',
  },
  'only-named-fields': {
    file: 'src/modules/identity/learners/profile.service.ts',
    from: 'await em.nativeUpdate(User, { id: learner.id }, data);',
    to: 'await em.nativeUpdate(User, { id: learner.id }, { ...(form as object), ...data });',
    test: 'src/modules/identity/learners/learner.routes.test.ts',
    title: 'the API returns only id, username and e-mail of a learner, and accepts no other fields',
  },
  'password-fields': {
    file: 'views/identity/profile.eta',
    from: "label: 'Mot de passe actuel', type: 'password'",
    to: "label: 'Mot de passe actuel', type: 'text'",
    test: 'src/modules/identity/accounts/password-fields.test.ts',
    title: 'each password field hides its value and can be filled in by a password manager',
  },
  'passwords-agree': {
    file: 'src/shared/forms/learner.ts',
    from: '.check(confirmedBy());',
    to: '.check();',
    test: 'src/modules/identity/learners/learner.routes.test.ts',
    title: "all faults of a registration are reported at once, in the specification's words",
  },
  'forms-say-each-field-once': {
    file: 'src/platform/files/uploads.ts',
    from: 'else if (fields.has(part.fieldname)) throw invalidRequest();',
    to: '',
    test: 'src/platform/files/uploads.test.ts',
    title: 'malformed forms get a 4xx response in French',
  },
  'formulas-define-nothing': {
    file: 'src/shared/formulas/render.ts',
    from: 'if (definition)\n',
    to: "if (definition && latex === '')\n",
    test: 'src/modules/content/texts/formulas/mathml.test.ts',
    title: 'faults are reported in French',
  },
  'patterns-escaped': {
    file: 'src/modules/identity/accounts/redaction.ts',
    from: 'const escaped = (text: string): string => text.replaceAll(',
    to: 'const escaped = (text: string): string => text || text.replaceAll(',
    test: 'src/modules/identity/accounts/redaction.test.ts',
    title: 'special characters of an e-mail are matched literally',
  },
  'bodies-of-their-type': {
    file: 'src/platform/files/uploads.ts',
    from: "if (typeof fieldname !== 'string' || typeof value !== 'string') throw invalidRequest();",
    to: '',
    test: 'src/platform/files/uploads.test.ts',
    title: 'malformed forms get a 4xx response in French',
  },
};
