/** Ratio of elapsed to processor time above which a thread has waited for its core. */
const contended = 1.25;
/** Pause per millisecond of work. */
const restPerWork = 2;

/**
 * Returns the pause of a thread after a task, in ms: none while a core is free, twice the processor time if others wanted the same core.
 * Without pauses the thread would delay every other request, since the scheduler lets even a low-priority thread finish its time slice of
 * some milliseconds.
 * @param tookMs elapsed time @param usedMs processor time
 */
export const restMs = (tookMs: number, usedMs: number): number => (tookMs > contended * usedMs ? restPerWork * usedMs : 0);
