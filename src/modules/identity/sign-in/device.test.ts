import t from 'tap';
import { describeDevice } from './device.ts';

t.test('browser and system are named as their owner knows them', async (t) => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const devices: [userAgent: string, device: string][] = [
    [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/130.0.0.0 Mobile Safari/537.36`, 'Chrome, Android'],
    [
      `Mozilla/5.0 (Linux; Android 13; SM-A135F) ${webkit} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet, Android',
    ],
    ['Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; fr) Presto/2.12.423 Version/12.16', 'Opera Mini, Android'],
    [
      `Mozilla/5.0 (Linux; U; Android 9; fr; TECNO) ${webkit} Version/4.0 UCBrowser/13.4 Chrome/100.0 Mobile Safari/537.36`,
      'UC Browser, Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari, iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
      'Chrome, iPhone',
    ],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`, 'Edge, Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox, Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari, Mac',
    ],
    ['Mozilla/5.0 (Mobile; Nokia 8110; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5', 'Firefox, KaiOS'],
  ];
  for (const [userAgent, device] of devices) t.equal(describeDevice(userAgent), device);
});

t.test('an unknown User-Agent gives null, and no text of the header is used', async (t) => {
  for (const userAgent of [undefined, '', 'curl/8.9.1', '<script>alert(1)</script>', 'x'.repeat(5000)])
    t.equal(describeDevice(userAgent), null);
  t.equal(describeDevice(`<b>Firefox/1 ${'é'.repeat(5000)}`), 'Firefox');
});
