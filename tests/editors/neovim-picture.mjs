// Runs Neovim in a terminal and takes a picture of it.
//
// The terminal is xterm.js in headless Chromium; `script` gives Neovim its pseudo-terminal.
//
// usage: node neovim-picture.mjs --chromium PATH --nvim PATH --parsers FOLDER --project FOLDER --image FILE

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

const COLUMNS = 132;
const ROWS = 20;
const TIMEOUT = 60_000;

const here = import.meta.dirname;
const repository = join(here, '../..');
const { values } = parseArgs({
  options: {
    chromium: { type: 'string' },
    nvim: { type: 'string' },
    parsers: { type: 'string' },
    project: { type: 'string' },
    image: { type: 'string' },
  },
});

const SETUP = `
  vim.opt.runtimepath:prepend('${repository}/editors/neovim')
  vim.opt.runtimepath:append('${values.parsers}')
  for _, language in ipairs({ 'elixir', 'signature' }) do
    vim.treesitter.language.add(language, { path = '${values.parsers}/' .. language .. '.so' })
  end
  vim.o.termguicolors = true
  vim.o.number = true
  vim.o.showmode = false
  vim.o.hlsearch = false
  vim.o.swapfile = false
  vim.o.winborder = 'rounded'
  vim.diagnostic.config({ virtual_lines = true })
  vim.lsp.enable('signature_ls')
  vim.api.nvim_create_autocmd('FileType', { pattern = 'elixir', callback = function() vim.treesitter.start()  end })
`;

const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox', '--disable-gpu'] });
let neovim;
try {
  const page = await browser.newPage({ viewport: { width: 1240, height: 420 } });
  page.setDefaultTimeout(TIMEOUT);
  await page.setContent('<body style="margin:0;background:#14161b"><div id="terminal"></div></body>');
  await page.addStyleTag({ content: readFileSync(join(here, 'node_modules/@xterm/xterm/css/xterm.css'), 'utf8') });
  for (const script of ['xterm/lib/xterm.js', 'addon-unicode11/lib/addon-unicode11.js']) {
    await page.addScriptTag({ content: readFileSync(join(here, 'node_modules/@xterm', script), 'utf8') });
  }
  // The terminal's answers to queries of the program go back to it.
  await page.exposeFunction('answer', (data) => neovim.stdin.write(data));
  await page.evaluate(
    ({ columns, rows }) => {
      window.terminal = new window.Terminal({
        cols: columns,
        rows,
        fontFamily: 'DejaVu Sans Mono',
        fontSize: 15,
        allowProposedApi: true,
        theme: { background: '#14161b', foreground: '#e0e2ea' },
      });
      // Without it, emoji are narrower than Neovim expects.
      window.terminal.loadAddon(new window.Unicode11Addon.Unicode11Addon());
      window.terminal.unicode.activeVersion = '11';
      window.terminal.onData(window.answer);
      window.terminal.open(document.getElementById('terminal'));
    },
    { columns: COLUMNS, rows: ROWS },
  );

  const command = `stty cols ${COLUMNS} rows ${ROWS}; exec "$NVIM_PROGRAM" --clean --cmd "lua $NVIM_SETUP" emails.ex`;
  neovim = spawn('script', ['--quiet', '--flush', '--command', command, '/dev/null'], {
    cwd: values.project,
    env: {
      ...process.env,
      NVIM_PROGRAM: values.nvim,
      NVIM_SETUP: SETUP.replaceAll(/\s*\n\s*/g, ' '),
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      // Neovim then knows that the terminal can draw curly underlines.
      VTE_VERSION: '7000',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let writing = Promise.resolve();
  neovim.stdout.on('data', (chunk) => {
    writing = writing.then(() => page.evaluate((bytes) => window.terminal.write(Uint8Array.from(bytes)), [...chunk]));
  });

  const waitForText = (text) =>
    page.waitForFunction((searched) => {
      const { active } = window.terminal.buffer;
      const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row).translateToString());
      return lines.join('\n').includes(searched);
    }, text);

  await waitForText('did you mean');
  neovim.stdin.write('/limit\r');
  neovim.stdin.write('K');
  await waitForText('╭');
  await new Promise((resolve) => setTimeout(resolve, 500));
  await page.locator('.xterm-screen').screenshot({ path: values.image });
  // The output of Neovim at its exit is discarded.
  neovim.stdout.removeAllListeners('data').resume();
  await writing;
  neovim.stdin.write('\x1b\x1b:qall!\r');
  await new Promise((resolve) => neovim.once('exit', resolve));
  console.log(`neovim: took ${values.image}`);
} finally {
  neovim?.kill();
  await browser.close();
}
