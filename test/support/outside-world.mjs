// Preloaded into a process (`NODE_OPTIONS=--import=…/outside-world.mjs?ca=FILE`): names below .example resolve to another machine, but their
// connections reach this one. Names in LEADS_HERE resolve to this machine. The authority in FILE is trusted.
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';

const somewhereElse = '203.0.113.7';
const isOutside = (host) => String(host).endsWith('.example');

const { lookup } = dns;
dns.lookup = (host, options, done) => lookup(isOutside(host) ? '127.0.0.1' : host, options, done);
const { lookup: find } = dns.promises;
dns.promises.lookup = async (host, options) => {
  if (!isOutside(host)) return find(host, options);
  const found = { address: process.env.LEADS_HERE === host ? '127.0.0.1' : somewhereElse, family: 4 };
  return options?.all ? [found] : found;
};
syncBuiltinESMExports();

const ca = new URL(import.meta.url).searchParams.get('ca');
// Node 20, which doctor must report as too old, does not have this function.
if (ca) tls.setDefaultCACertificates?.([readFileSync(ca, 'utf8')]);
