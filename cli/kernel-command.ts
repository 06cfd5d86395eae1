import { Command } from 'commander';
import type { Kernel } from '../src/kernel.ts';
import { type Answer, answer } from './output.ts';
import { withKernel } from './with-kernel.ts';

/** A command that needs the kernel and prints a result. */
export class KernelCommand extends Command {
  override createCommand(name?: string): KernelCommand {
    return new KernelCommand(name);
  }

  /** @param work gets the kernel, then the command's arguments and options */
  answers<Args extends unknown[]>(work: (kernel: Kernel, ...args: Args) => Promise<Answer>): this {
    return this.action((...args: Args) => withKernel(async (kernel) => answer(this, ...(await work(kernel, ...args)))));
  }
}
