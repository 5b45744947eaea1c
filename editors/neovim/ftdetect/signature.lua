-- Catalogs share their extension with Standard ML and Lambda Prolog. If the first line after comments and blank lines
-- is not an entry of a catalog, Neovim's own detection decides.
local function detect_sig(path, bufnr)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, 100, false)) do
    if line:match('^[%a_][%w_./-]*[?!]?%s*%(') then
      return 'signature-catalog'
    end
    if line:match('%S') and not line:match('^%s*[#;]') then
      return require('vim.filetype.detect').sig(path, bufnr)
    end
  end
  return 'signature-catalog'
end

vim.filetype.add({
  extension = {
    livemd = 'markdown',
    prompt = 'signature-prompt',
    ptc = 'clojure',
    sig = detect_sig,
  },
})

vim.treesitter.language.register('markdown', 'signature-prompt')
vim.treesitter.language.register('signature', 'sig')
