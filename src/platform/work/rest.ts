/** A thread that took so many times the processor time that it used has waited for others. */
const contended = 1.25;
/** Rest for each millisecond of work. */
const restPerWork = 2;

/**
 * How long a thread rests after a piece of work, in ms: not at all while a core is free, and twice as long as it has worked where others wanted the same core. A scheduler lets
 * whoever has begun end its slice of some milliseconds, however far it stands back: a thread that never rests is met by every other request.
 * @param tookMs from the beginning to the end  @param usedMs of processor time
 */
export const restMs = (tookMs: number, usedMs: number): number => (tookMs > contended * usedMs ? restPerWork * usedMs : 0);
