// Loaded into a process before everything else (`NODE_OPTIONS=--import=…`): its clock is wrong by what CLOCK_AHEAD_MS says at the moment, and goes CLOCK_RATE
// times as fast as it should since CLOCK_RIGHT_AT (ms since 1970), the same in all processes that are told the same.
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
