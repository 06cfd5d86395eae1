import type { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { pooler } from './topologies/pooler.ts';
import { processes } from './topologies/processes.ts';
import { s3 } from './topologies/s3.ts';

/** The arrangement of the site's services while the tests run: `make test TOPOLOGY=…`. */
export interface Topology {
  /** host:port of a server between the site and the tests' PostgreSQL; null for none. Tests, migrations and commands connect directly. */
  databaseHost: string | null;
  /** Additional environment variables of the site; `{database}` is replaced by its database's name. */
  env: Record<string, string>;
  close(): Promise<void>;
}

interface Parts {
  postgres: EmbeddedPostgres;
  /** Folder for the topology's files; deleted after the run. */
  folder: string;
}

/** A program missing on this machine: the message names the package to install. */
interface Missing {
  missing: string;
}

type OpenTopology = (parts: Parts) => Promise<Topology | Missing>;

const direct: OpenTopology = async () => ({ databaseHost: null, env: {}, close: async () => {} });

const topologies: Record<string, OpenTopology> = {
  direct,
  pooler,
  processes,
  // Imported here, so that sources that do not load are reported as a failure.
  replica: async (parts) => (await import('./topologies/replica.ts')).replica(parts),
  s3,
};

/** @throws Error for an unknown name */
export function openTopology(name: string, parts: Parts): Promise<Topology | Missing> {
  const open = topologies[name];
  if (!open) throw new Error(`TOPOLOGY is one of ${Object.keys(topologies).join(', ')}`);
  return open(parts);
}
