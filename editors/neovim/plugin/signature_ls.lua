vim.api.nvim_create_user_command('SignaturePreview', function(command)
  require('signature_ls.preview').open(tonumber(command.args))
end, { nargs = '?', desc = 'Show what the model sees of the agent at the cursor' })

-- The command of the code lens above an agent.
vim.lsp.commands['signature-ls.showPreview'] = function(command)
  local place = command.arguments and command.arguments[2]
  if place then
    vim.api.nvim_win_set_cursor(0, { place.line + 1, 0 })
  end
  require('signature_ls.preview').open()
end
