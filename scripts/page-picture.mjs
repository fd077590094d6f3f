// Makes packages/bench/page.png, README's picture of the page (node scripts/page-picture.mjs [RESULTS [#VIEW]]).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { readResults, writePage } from '../packages/bench/dist/index.js';

const CHROMIUM = '/usr/bin/chromium';
const root = fileURLToPath(new URL('..', import.meta.url));
const [
  results = join(root, 'packages/bench/testdata/results/history.jsonl'),
  view = '#kind=pods&job=list&http=h2&readers=1&gate=on&scale=log',
] = process.argv.slice(2);

const out = mkdtempSync(join(tmpdir(), 'sluice-page-'));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(pathToFileURL(writePage({ runs: readResults(results), out })).href + view);
  await page.screenshot({ path: join(root, 'packages/bench/page.png') });
} finally {
  await browser.close();
  rmSync(out, { recursive: true, force: true });
}
