/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`): its clock starts at RECORDING_NOW when the real clock shows
 * RECORDING_STARTED_MS, and runs on from there. Two recordings then see the same dates.
 */
const shiftMs = Date.parse(process.env.RECORDING_NOW) - Number(process.env.RECORDING_STARTED_MS);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shiftMs);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate;
