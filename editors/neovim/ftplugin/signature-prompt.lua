vim.bo.commentstring = '{{! %s }}'
vim.b.undo_ftplugin = 'setlocal commentstring<'

-- Neovim ships the Markdown parser; it highlights the front matter and the code blocks.
vim.treesitter.start()
