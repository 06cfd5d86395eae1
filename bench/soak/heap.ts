/**
 * Returns the heap size of a Node process after a garbage collection, in bytes. @param inspector the address that `--inspect` has printed
 */
export async function heapAfterGc(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error(`${inspector} does not answer`));
    });
    const ask = (id: number, method: string) =>
      new Promise<{ usedSize: number }>((resolve) => {
        socket.onmessage = ({ data }) => {
          const answer = JSON.parse(String(data)) as { id?: number; result: { usedSize: number } };
          if (answer.id === id) resolve(answer.result);
        };
        socket.send(JSON.stringify({ id, method }));
      });
    await ask(1, 'HeapProfiler.collectGarbage');
    return (await ask(2, 'Runtime.getHeapUsage')).usedSize;
  } finally {
    socket.close();
  }
}
