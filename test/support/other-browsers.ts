import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../src/platform/processes/free-port.ts';

// Drives the distribution's Firefox and WebKit through WebDriver BiDi and WebDriver. Pointer and keyboard input is real browser input.

const TIMEOUT_MS = 20_000;

/** The common operations of both protocols. */
interface Protocol {
  navigate(url: string): Promise<void>;
  /** Returns the value of an expression in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Performs WebDriver action sequences, which are the same in both protocols. */
  act(sources: object[]): Promise<void>;
}

interface OtherBrowser {
  open(url: string): Promise<void>;
  /** Waits until an expression in the page is true. */
  until(expression: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /** Clicks the visible button, link or summary with this text. */
  click(text: string): Promise<void>;
  /** Types into the field with this name. */
  type(name: string, text: string): Promise<void>;
}

export interface Installed {
  name: string;
  /** Null when the browser is installed, otherwise a message about the missing package. */
  missing: string | null;
  start(t: Test): Promise<OtherBrowser>;
}

const where = (command: string): string | null => spawnSync('which', [command], { encoding: 'utf8' }).stdout.trim() || null;

export function otherBrowsers(): Installed[] {
  const firefox = where('firefox-esr');
  const driver = where('WebKitWebDriver');
  const xvfb = where('Xvfb');
  const [webkit] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');
  return [
    {
      name: 'Firefox',
      missing: firefox ? null : 'firefox-esr is not installed',
      start: async (t) => withKeys(await startFirefox(t, firefox ?? '')),
    },
    {
      name: 'WebKit',
      missing: driver && xvfb && webkit ? null : 'webkit2gtk-driver or xvfb is not installed',
      start: async (t) => withKeys(await startWebKit(t, { driver: driver ?? '', xvfb: xvfb ?? '', browser: webkit ?? '' })),
    },
  ];
}

function withKeys(protocol: Protocol): OtherBrowser {
  const until = async (expression: string) => {
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await pause(50)) {
      // Evaluation fails while the page is being replaced.
      if (await protocol.evaluate(`Boolean(${expression})`).catch(() => false)) return;
    }
    throw new Error(`not within ${TIMEOUT_MS} ms: ${expression}; ${await protocol.evaluate('location.href + document.body.innerText')}`);
  };
  const clickOn = async (element: string) => {
    await until(element);
    const point = `(() => { const it = ${element}; it.scrollIntoView({ block: 'center', behavior: 'instant' }); const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round) })()`;
    const [x, y] = (await protocol.evaluate(point)) as [number, number];
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await protocol.act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
  };
  const reading = (text: string) =>
    `[...document.querySelectorAll('button, a[href], summary')].find((it) => it.checkVisibility?.() !== false && it.getClientRects().length > 0 && it.innerText.replaceAll(/\\s+/g, ' ').trim() === ${JSON.stringify(text)})`;
  return {
    open: (url) => protocol.navigate(url),
    until,
    evaluate: (expression) => protocol.evaluate(expression),
    click: (text) => clickOn(reading(text)),
    async type(name, text) {
      await clickOn(
        `[...document.querySelectorAll('input')].find((it) => it.name === ${JSON.stringify(name)} && it.getClientRects().length > 0)`,
      );
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await protocol.act([{ type: 'key', id: 'keyboard', actions }]);
    },
  };
}

/** Disables background activity of a new profile: start page, preloaded processes, downloaded lists, surveys. */
const quietFirefox = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.page': 0,
  'browser.topsites.useRemoteSetting': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9',
  'startup.homepage_welcome_url': 'about:blank',
  'toolkit.telemetry.enabled': false,
};

async function startFirefox(t: Test, command: string): Promise<Protocol> {
  const profile = mkdtempSync(join(tmpdir(), 'prepa-firefox-'));
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(quietFirefox)
      .map(([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const port = await freePort();
  const firefox = spawn(command, ['--headless', `--remote-debugging-port=${port}`, '--profile', profile, '--no-remote'], {
    stdio: 'ignore',
    env: { ...process.env, HOME: profile },
  });
  ending(t, firefox, () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  const socket = await connect(`ws://127.0.0.1:${port}/session`);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data));
    const asked = waiting.get(id);
    waiting.delete(id);
    if (type === 'error') asked?.reject(new Error(message));
    else asked?.resolve(result);
  });
  let count = 0;
  const send = <Result>(method: string, params: object): Promise<Result> =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve: resolve as (value: unknown) => void, reject });
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  await send('session.new', { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]?.context;
  await send('browsingContext.setViewport', { context, viewport: { width: 360, height: 740 } });
  return {
    navigate: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'interactive' })),
    evaluate: async (expression) => {
      const { result } = await send<{ result: { value?: string } }>('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: false,
      });
      return result.value === undefined ? undefined : JSON.parse(result.value);
    },
    act: async (actions) => void (await send('input.performActions', { context, actions })),
  };
}

async function startWebKit(t: Test, commands: { driver: string; xvfb: string; browser: string }): Promise<Protocol> {
  const [port, display] = [await freePort(), `:${100 + (process.pid % 400)}`];
  ending(t, spawn(commands.xvfb, [display, '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], { stdio: 'ignore' }));
  ending(
    t,
    spawn(commands.driver, [`--port=${port}`, '--host=127.0.0.1'], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    }),
  );
  const send = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { value: Result };
    if (!answer.ok) throw new Error(JSON.stringify(value));
    return value;
  };
  await patiently(() => send('GET', '/status'));
  const options = { 'webkitgtk:browserOptions': { binary: commands.browser, args: ['--automation'] } };
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', { capabilities: { alwaysMatch: options } });
  const session = `/session/${sessionId}`;
  t.teardown(() => send('DELETE', session).catch(() => undefined));
  await send('POST', `${session}/window/rect`, { width: 400, height: 800 });
  return {
    navigate: (url) => send('POST', `${session}/url`, { url }),
    evaluate: (expression) => send('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    act: (actions) => send('POST', `${session}/actions`, { actions }),
  };
}

const connect = (url: string): Promise<WebSocket> =>
  patiently(
    () =>
      new Promise<WebSocket>((resolve, reject) => {
        const socket = new WebSocket(url);
        socket.addEventListener('open', () => resolve(socket));
        socket.addEventListener('error', () => reject(new Error(`no answer from ${url}`)));
      }),
  );

/** Retries until it succeeds, since the program has just been started. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(100)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

function ending(t: Test, child: ChildProcess, afterwards = () => {}): void {
  const ended = new Promise((resolve) => child.once('close', resolve));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
    afterwards();
  });
}
