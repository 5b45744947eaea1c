-- The server of signature strings. `vim.lsp.enable('signature_ls')` switches it on.

---@type vim.lsp.Config
return {
  cmd = { 'signature-ls', 'lsp' },
  filetypes = {
    'clojure',
    'elixir',
    'json',
    'jsonc',
    'markdown',
    'signature-catalog',
    'signature-prompt',
    'yaml',
  },
  root_markers = { 'signature-ls.toml', 'mix.exs', '.git' },
  settings = {
    ['signature-ls'] = {
      edition = 'auto',
    },
  },
}
