import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createKernel } from '../../src/kernel.ts';

const offline = 'postgresql://offline@127.0.0.1/offline';
const noAssets = {
  css: '',
  learnerCss: '',
  examCss: '',
  adminCss: '',
  mathFont: '',
  loader: '',
  preload: [],
  keptPages: [],
  version: '',
  tag: '',
  folder: null,
};

/** Returns the API description as JSON, generated from the application's routes without a database. */
export async function describeApi(): Promise<string> {
  const kernel = await createKernel(loadConfig({ LOG_LEVEL: 'silent', RECONCILE_PAYMENTS: 'off', PUBLISH_DRAFTS: 'off' }), {
    databaseUrl: offline,
  });
  const app = await buildApp(kernel, { assets: noAssets });
  try {
    await app.ready();
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
    await kernel.close();
  }
}
