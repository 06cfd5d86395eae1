import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { countClipboard } from './count-clipboard.ts';
import { cells, lossesOf } from './losses.ts';
import { measureOmml, missing } from './measure-omml.ts';

const none = { headings: 0, listItems: {}, cells: 0, images: 0, links: 0, emphasis: 0, equations: 0 };
const measured = (source: object, result: object, said: string[] = []) => ({
  file: 'a',
  source: { ...none, ...source },
  result: { ...none, ...result },
  said,
});

t.test('reports losses with their reason, or null', async (t) => {
  t.same(lossesOf(measured({ images: 2 }, { images: 2 })), []);
  t.match(lossesOf(measured({ images: 2 }, {})), [{ what: 'images', lost: 2, reason: null }]);
  t.match(
    lossesOf(measured({ images: 2 }, {}, ['Une image manque.'])),
    [{ reason: null }],
    'the message names only one of two lost pictures',
  );
  t.match(lossesOf(measured({ images: 2 }, {}, ['2 images manquent.'])), [{ reason: '2 images manquent.' }]);
  t.match(lossesOf(measured({ images: 1 }, {}, ['Un lien manque.'])), [{ reason: null }], 'a reason must name the lost content');
  t.match(lossesOf(measured({ listItems: { 1: 1, 2: 2 } }, { listItems: { 1: 3 } })), [
    { what: 'éléments de liste', lost: 2, reason: null },
  ]);
  t.match(lossesOf(measured({ text: 9 }, { text: 8 })), [{ what: 'caractères', lost: 1 }]);
  const said = ['Le premier titre, « Les suites », est devenu le titre.'];
  t.same(lossesOf(measured({ text: 20 }, { text: 11 }, said)), [{ what: 'caractères', lost: 9, reason: said[0] }]);
  t.match(lossesOf(measured({ text: 20 }, { text: 10 }, said)), [{ reason: null }], 'one character more than the title has');
  t.same(cells(measured({ headings: 2, listItems: { 1: 1, 2: 1 } }, { headings: 1, listItems: { 1: 2 } })).slice(0, 2), [
    '2→1',
    '1:1 2:1→1:2',
  ]);
});

t.test('counts the visible content of the source', async (t) => {
  const html = `<style>.fort {font-weight:bold}</style><h1>a</h1><h2>&nbsp;</h2><p class=MsoHeading2>b</p><p>x <b style="font-weight:normal">y</b> <span class=fort>zz</span>
    <a href="https://a.cm/">l</a> <a href="#b">m</a> <span style="display:none">caché</span><img src="file:///a.png"><!--[if gte vml 1]><v:imagedata src="a"/><![endif]--></p>
    <p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.</span>i</p><p style='mso-list:l0 level3 lfo1'>j</p><ul><li>k<ol><li>l</li></ol></li></ul>
    <table><tr><td>1</td><th>2</th></tr></table><!--[if gte msEquation 12]><m:oMath><m:r>x</m:r></m:oMath><![endif]-->`;
  const counts = countClipboard(html);
  t.match(counts, { headings: 2, emptyHeadings: 1, listItems: { 1: 2, 2: 2 }, cells: 2, images: 1, links: 2, emphasis: 2, equations: 1 });
});

t.test('counts a picture that Word draws only in VML', async (t) => {
  const shape = (id: string) => `<!--[if gte vml 1]><v:shape id="${id}" type="#t"><v:imagedata src="file:///a.png"/></v:shape><![endif]-->`;
  t.equal(countClipboard(`<p>${shape('a')}<![if !vml]><img src="file:///a.png" v:shapes="a"><![endif]>${shape('b')}</p>`).images, 2);
});

t.test('an equation keeps every character', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'prepa-omml-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.test');
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const omml = `<m:oMathPara><m:oMath><m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>${run('≤π')}</m:oMath></m:oMathPara>`;
  writeFileSync(
    path,
    `<<< omml\n${omml}\n>>> native\n[ ESuper (EIdentifier "x") (ENumber "2") , ESymbol Rel "\\8804" , EIdentifier "\\960" ]\n`,
  );
  t.match(measureOmml(path), { source: { equations: 1 }, result: { equations: 1 } });
  t.same(missing('x≤y', '<mi>x</mi><mo>≤</mo>'), ['y']);
});

t.test('a missing folder is reported', async (t) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(projectRoot, 'scripts/measure-documents.ts'), join(tmpdir(), 'nulle-part')],
    { encoding: 'utf8' },
  );
  t.equal(status, 2);
  t.match(stderr, /n'existe pas : rien à mesurer\./);
});
