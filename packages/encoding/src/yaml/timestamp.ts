// Which strings YAML 1.1 readers in Go take for a date or a time.

/** The forms are 2006-1-2, 2006-1-2T15:4:5.9Z07:00 (or t) and 2006-1-2 15:4:5.9; fractions may have a comma. */
export function isTimestamp(text: string): boolean {
  if (text.charCodeAt(4) !== HYPHEN) return false;
  const match = FORM.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  const [hour, minute, second] = [match[4] ?? match[9], match[5] ?? match[10], match[6] ?? match[11]];
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return false;
  // Go lets an offset be 24 hours and 60 minutes.
  return Number(match[7] ?? 0) <= 24 && Number(match[8] ?? 0) <= 60;
}

const HYPHEN = 0x2d;
const CLOCK = '(\\d\\d?):(\\d\\d?):(\\d\\d?)(?:[.,]\\d+)?';
const FORM = new RegExp(
  `^(\\d{4})-(\\d\\d?)-(\\d\\d?)(?:[Tt]${CLOCK}(?:Z|[-+](\\d\\d):(\\d\\d))| +${CLOCK})?$`,
);

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
