import { Counter } from 'prom-client';

/** Returns a counter over an existing map of counts. It is read only when metrics are collected, so counting costs nothing extra. */
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
