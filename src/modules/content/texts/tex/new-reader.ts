import { textCommands } from './commands.ts';
import type { TexContext } from './context.ts';
import { textEnvironments, unknownEnvironment } from './environments.ts';
import { TexReader } from './reader.ts';
import { SILENT_COMMANDS } from './silent-commands.ts';
import { unknownCommand } from './unknown-command.ts';

/** Returns a reader that adds its blocks to an element. */
export const newReader = (context: TexContext, container: Element): TexReader =>
  new TexReader(
    context,
    { commands: textCommands, silent: SILENT_COMMANDS, environments: textEnvironments, unknownCommand, unknownEnvironment },
    container,
  );
