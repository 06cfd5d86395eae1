/** For `.catch(ignore)`: the failed work is skipped, or done at the next contact. */
export function ignore(): undefined {}
