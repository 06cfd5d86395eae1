import type { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { pooler } from './topologies/pooler.ts';
import { processes } from './topologies/processes.ts';
import { s3 } from './topologies/s3.ts';

/** How the parts of a site stand to each other while the suite runs: `make test TOPOLOGY=…`. */
export interface Topology {
  /** What stands between the site and the tests' PostgreSQL, as host:port; null: nothing. Tests themselves, migrations and commands go past it. */
  databaseHost: string | null;
  /** Added to what the site finds in its environment; `{database}` is its database's name. */
  env: Record<string, string>;
  close(): Promise<void>;
}

interface Parts {
  postgres: EmbeddedPostgres;
  /** For what the topology writes. It goes with the run. */
  folder: string;
}

/** A part that this machine does not have: the line that says which package brings it. */
interface Missing {
  missing: string;
}

type OpenTopology = (parts: Parts) => Promise<Topology | Missing>;

const direct: OpenTopology = async () => ({ databaseHost: null, env: {}, close: async () => {} });

const topologies: Record<string, OpenTopology> = {
  direct,
  pooler,
  processes,
  // It stands on the sources, which a run loads when it can report that they do not.
  replica: async (parts) => (await import('./topologies/replica.ts')).replica(parts),
  s3,
};

/** @throws Error for a name that is none of them */
export function openTopology(name: string, parts: Parts): Promise<Topology | Missing> {
  const open = topologies[name];
  if (!open) throw new Error(`TOPOLOGY is one of ${Object.keys(topologies).join(', ')}`);
  return open(parts);
}
