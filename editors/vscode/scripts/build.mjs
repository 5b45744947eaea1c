// Bundles the extension into dist/extension.cjs.

import { context } from 'esbuild';

const watch = process.argv.includes('--watch');
const bundle = await context({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['vscode'],
  minify: !watch,
  sourcemap: watch,
  logLevel: 'info',
});
if (watch) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
