import { serve } from '../platform/serve.ts';
import { buildSimulator } from './app.ts';

await serve('Simulateur ZitoPay', 4010, buildSimulator);
