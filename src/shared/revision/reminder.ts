/** Hours of the day, in Africa/Douala, at which a learner may be reminded of the day's session. */
export const reminderHours: readonly number[] = Array.from({ length: 17 }, (_, index) => index + 6);

export const defaultReminderHour = 19;

/** Returns `19:00`. */
export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
