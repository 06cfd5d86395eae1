/**
 * Whether tests take their long form (LONG=1, or `make soak`): the same properties over more inputs, widths, fonts or random lives than `make test` has
 * time for. A property that only the long form holds is a property that nobody tests.
 */
export const isLongForm = process.env.LONG === '1';

/** For `t.test(name, { skip: onlyLong }, …)`: what the short form has shown by a cheaper example. */
export const onlyLong: string | false = isLongForm ? false : 'long form: LONG=1 make test';
