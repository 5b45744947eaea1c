vim.api.nvim_create_user_command('SignaturePreview', function(command)
  require('signature_ls.preview').open(tonumber(command.args))
end, { nargs = '?', desc = 'Show what the model sees of the agent at the cursor' })
