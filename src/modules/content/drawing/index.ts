export { type DrawingReport, drawFormulasAnew, type LeftText } from './draw-anew.ts';
