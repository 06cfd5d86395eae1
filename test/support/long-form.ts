/**
 * Whether tests run in their long form (LONG=1, or `make soak`): the same properties over more inputs, widths, fonts or random runs than
 * `make test` has time for. Every property must also be tested in the short form.
 */
export const isLongForm = process.env.LONG === '1';

/** Value for `t.test(name, { skip: onlyLong }, …)`, if the short form tests the same property with a cheaper example. */
export const onlyLong: string | false = isLongForm ? false : 'long form: LONG=1 make test';
