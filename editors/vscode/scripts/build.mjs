// Bundles the extension into dist/extension.cjs, and the script of its page into dist/webview.js.

import { context } from 'esbuild';

const watch = process.argv.includes('--watch');
const shared = { bundle: true, minify: !watch, sourcemap: watch, logLevel: 'info' };
const bundles = await Promise.all([
  context({
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
  }),
  context({
    ...shared,
    entryPoints: ['src/webview/main.ts'],
    outfile: 'dist/webview.js',
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
  }),
]);
for (const bundle of bundles) {
  if (watch) {
    await bundle.watch();
  } else {
    await bundle.rebuild();
    await bundle.dispose();
  }
}
