// Makes the page of the benchmark out of its built parts: one file with everything in it, which results are put into later.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages/bench/src/dashboard');
const built = join(root, 'packages/bench/dist/page.html');

const { outputFiles } = buildSync({
  entryPoints: [join(root, 'packages/bench/dist/dashboard/main.js')],
  ...{ bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', legalComments: 'inline' },
});
const styles = ['node_modules/uplot/dist/uPlot.min.css', 'packages/bench/src/dashboard/page.css']
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const page = readFileSync(join(source, 'page.html'), 'utf8')
  .replace('/*STYLE*/', () => transformSync(styles, { loader: 'css', minify: true }).code)
  .replace('/*SCRIPT*/', () => outputFiles[0].text.replaceAll('</script', '<\\/script'));
// Renamed when it is whole: another process may be reading it.
writeFileSync(`${built}.new`, page);
renameSync(`${built}.new`, built);
