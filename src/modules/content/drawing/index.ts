export { drawFormulasAnew } from './draw-anew.ts';
