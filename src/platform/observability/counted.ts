import { Counter } from 'prom-client';

/** A counter of what is counted anyway, by a name: read when somebody asks, so that counting costs nothing more. */
export function counted<Label extends string>(
  name: string,
  help: string,
  label: Label,
  counts: ReadonlyMap<string, number>,
): Counter<Label> {
  return new Counter({
    name,
    help,
    labelNames: [label],
    registers: [],
    collect() {
      this.reset();
      for (const [value, count] of counts) this.inc({ [label]: value } as never, count);
    },
  });
}
