import { useRef, useState } from 'react';

/** Holds the open dialog of a screen, if any. A new number, used as key, creates a new dialog. */
export function useTask<Task extends object>() {
  const [task, setTask] = useState<(Task & { number: number }) | null>(null);
  const count = useRef(0);
  return {
    task,
    open(next: Task): void {
      count.current += 1;
      setTask({ ...next, number: count.current });
    },
    close: () => setTask(null),
  };
}
