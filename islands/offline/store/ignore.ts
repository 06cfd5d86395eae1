/** In `.catch(ignore)`: what fails is left undone, or is done at the next contact. */
export function ignore(): undefined {}
