// Loaded into a process before everything else (`NODE_OPTIONS=--import=…`): its clock is wrong by what CLOCK_AHEAD_MS says at the moment.
const RightDate = globalThis.Date;
const ahead = () => Number(process.env.CLOCK_AHEAD_MS ?? 0);

globalThis.Date = class WrongDate extends RightDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RightDate.now() + ahead()] : args));
  }

  static now() {
    return RightDate.now() + ahead();
  }
};
