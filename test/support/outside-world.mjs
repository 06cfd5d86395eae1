// Loaded into a process before everything else (`NODE_OPTIONS=--import=…/outside-world.mjs?ca=FILE`): names below .example are those of other machines, as the
// DNS would say, and connections to them come back to this one, where a test has put what stands there. Those that LEADS_HERE names are known to lead here.
// The authority in FILE is one that the machine trusts.
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
// Node 20, which is told to be too old, cannot.
if (ca) tls.setDefaultCACertificates?.([readFileSync(ca, 'utf8')]);
