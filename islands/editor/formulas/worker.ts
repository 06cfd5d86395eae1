import { FormulaError } from '../../../src/shared/formulas/faults.ts';
import { renderFormula } from '../../../src/shared/formulas/render.ts';
import type { RenderReply, RenderRequest, RenderResult } from './renderer.ts';

// The worker's globals: the project's types have only those of a window.
const page = globalThis as unknown as { postMessage(reply: RenderReply): void; onmessage: (event: MessageEvent<RenderRequest>) => void };

function render(latex: string, display: boolean): RenderResult {
  try {
    return { ok: true, mathml: renderFormula(latex, display) };
  } catch (error) {
    if (error instanceof FormulaError) return { ok: false, message: error.message };
    return { ok: false, message: 'La formule est trop compliquée' };
  }
}

page.onmessage = ({ data: { id, latex, display } }) => page.postMessage({ id, result: render(latex, display) });
page.postMessage('ready');
