import { useRef, useState } from 'react';

/** The dialog that is open on a screen, if any. A new number makes a new dialog. */
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
