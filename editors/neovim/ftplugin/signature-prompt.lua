vim.bo.commentstring = '{{! %s }}'
vim.b.undo_ftplugin = 'setlocal commentstring<'

-- Neovim ships the parser of Markdown; its front matter and its fences are coloured with it.
vim.treesitter.start()
