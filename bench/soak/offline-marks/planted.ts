interface PlantedFault {
  what: string;
  /** The count of the comparison that must not be zero. */
  shows: 'lost' | 'double' | 'wrong';
  /** SQL that plants the fault. */
  database?: string;
  /** Runs in pages and workers. */
  browser?: () => void;
}

/** Faults that the comparison of `ONLY=offline make soak` must find. */
export const plantedFaults: PlantedFault[] = [
  {
    what: 'a device drops what it has sent before the server has said that it has it',
    shows: 'lost',
    browser: () => {
      const real = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        try {
          return await real(input, init);
        } catch (error) {
          if (!String(input).endsWith('/marques') || typeof init?.body !== 'string') throw error;
          const prises = JSON.parse(init.body).entrees.map(({ cle }: { cle: string }) => cle);
          return new Response(JSON.stringify({ prises }));
        }
      };
    },
  },
  {
    what: 'the server forgets keys and takes an entry twice',
    shows: 'double',
    database: `create function forget_key() returns trigger language plpgsql as $$ begin new.cle := gen_random_uuid(); return new; end $$;
      create trigger forget_key before insert on offline_entry for each row execute function forget_key();`,
  },
  {
    what: 'a practice is counted once more when more of it arrives',
    shows: 'wrong',
    database: `create function count_again() returns trigger language plpgsql as $$ begin new.times := new.times + 1; return new; end $$;
      create trigger count_again before update on practice for each row when (new.times = old.times) execute function count_again();`,
  },
];
