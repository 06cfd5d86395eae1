// Preloaded into a process (`NODE_OPTIONS=--import=…`): its clock is ahead by the current value of CLOCK_AHEAD_MS, and has run at
// CLOCK_RATE times the real speed since CLOCK_RIGHT_AT (ms since 1970). Processes with the same settings have the same time.
const RightDate = globalThis.Date;
const rightAt = Number(process.env.CLOCK_RIGHT_AT ?? RightDate.now());
const rate = Number(process.env.CLOCK_RATE ?? 1);
const ahead = () => Number(process.env.CLOCK_AHEAD_MS ?? 0) + Math.round((RightDate.now() - rightAt) * (rate - 1));

globalThis.Date = class WrongDate extends RightDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RightDate.now() + ahead()] : args));
  }

  static now() {
    return RightDate.now() + ahead();
  }
};
