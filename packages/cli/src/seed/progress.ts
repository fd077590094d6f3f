// Shows how far a fill has come: a bar that is drawn over on a terminal, else a line now and then.

export type Progress = { show(done: number): void; end(): void };

type Output = { isTTY?: boolean; columns?: number; write(text: string): unknown };

const DRAW_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
const BAR_COLUMNS_MAX = 40;

export function openProgress(output: Output, what: string, total: number): Progress {
  const started = Date.now();
  const isTerminal = output.isTTY === true;
  let next = started + (isTerminal ? 0 : LINE_EVERY_MS);

  function draw(done: number): void {
    const rate = Math.round((done * 1000) / Math.max(1, Date.now() - started));
    const numbers = `${done}/${total} ${what}  ${rate}/s`;
    output.write(
      isTerminal ? `\r\u001b[K${bar(done / total, output.columns ?? 80)} ${numbers}` : `${numbers}\n`,
    );
  }

  return {
    show(done) {
      if (Date.now() < next) return;
      next = Date.now() + (isTerminal ? DRAW_EVERY_MS : LINE_EVERY_MS);
      draw(done);
    },
    end() {
      if (isTerminal) output.write('\r\u001b[K');
    },
  };
}

function bar(part: number, columns: number): string {
  const width = Math.max(10, Math.min(BAR_COLUMNS_MAX, columns - 40));
  const full = Math.round(width * part);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`;
}
