-- The server for signature strings. `vim.lsp.enable('signature_ls')` enables it.

local root_markers = { 'signature-ls.toml', 'mix.exs', '.git' }

--- Of TOML files, only the server's own settings are opened.
local function root_dir(bufnr, start)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
  if vim.bo[bufnr].filetype ~= 'toml' or name == 'signature-ls.toml' then
    start(vim.fs.root(bufnr, root_markers))
  end
end

---@type vim.lsp.Config
return {
  cmd = { 'signature-ls', 'lsp' },
  filetypes = {
    'clojure',
    'elixir',
    'json',
    'json5',
    'jsonc',
    'livebook',
    'markdown',
    'mdx',
    'signature-catalog',
    'signature-prompt',
    'toml',
    'yaml',
  },
  root_dir = root_dir,
  settings = {
    ['signature-ls'] = {
      edition = 'auto',
    },
  },
}
