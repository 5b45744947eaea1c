-- What a person does in Neovim with the server; run.sh starts it.

local passed = 0

local function check(what, condition, seen)
  if not condition then
    error(what .. ': ' .. vim.inspect(seen), 0)
  end
  passed = passed + 1
  io.stdout:write('ok: ' .. what .. '\n')
end

-- Waits for what the server does in its own time.
local function wait(what, condition, see)
  local done = vim.wait(30000, condition, 5)
  check(what, done, see and see() or vim.lsp.get_clients())
end

local function diagnostics()
  return vim.diagnostic.get(0)
end

local function wait_for_diagnostics(count)
  wait(count .. ' diagnostics in ' .. vim.fn.expand('%:t'), function()
    return #diagnostics() == count
  end, diagnostics)
  return diagnostics()
end

-- The first place of `text`: line and column in bytes from 0.
local function find(text)
  for index, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local at = line:find(text, 1, true)
    if at then
      return index - 1, at - 1
    end
  end
  error('not in the buffer: ' .. text)
end

local function replace(old, new)
  local line, column = find(old)
  vim.api.nvim_buf_set_text(0, line, column, line, column + #old, vim.split(new, '\n'))
end

local function place_cursor(text)
  local line, column = find(text)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
end

local function float_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local buffer = vim.api.nvim_win_get_buf(window)
      return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n')
    end
  end
  return ''
end

local function has_fault_at(diagnostic, text)
  local line, column = find(text)
  return diagnostic.lnum == line
    and diagnostic.col == column
    and diagnostic.end_lnum == line
    and diagnostic.end_col == column + #text
end

local function faults_are_seen_and_follow_edits()
  vim.cmd.edit('agent.ex')
  wait('the server runs', function()
    return #vim.lsp.get_clients({ bufnr = 0, name = 'signature_ls' }) == 1
  end)
  local found = wait_for_diagnostics(1)[1]
  check('the fault is underlined', has_fault_at(found, ':strng'), found)
  check('it is an error', found.severity == vim.diagnostic.severity.ERROR, found)
  check('it says what to write', found.message:find(':string', 1, true), found)
  check('it says who found it', found.source == 'signature-ls', found)

  replace('# Greets people. 😀', '# 😀 Greets\n  # 👩‍🚀 people')
  replace('Say hello 😀', 'Say 😀 hello 😀')
  replace(':strng', ':strnk')
  wait('the fault follows edits beside wide characters', function()
    local all = diagnostics()
    return #all == 1 and has_fault_at(all[1], ':strnk')
  end, diagnostics)

  replace(':strnk', ':string')
  wait_for_diagnostics(0)
  vim.cmd('silent undo')
  wait_for_diagnostics(1)
end

local function a_hover_is_shown()
  place_cursor(':string}"')
  vim.lsp.buf.hover()
  wait('the hover tells the type', function()
    return float_text():find(':string', 1, true) ~= nil
  end, float_text)
  place_cursor('defmodule')
end

local function a_quick_fix_is_applied()
  place_cursor(':strn')
  vim.lsp.buf.code_action({ apply = true })
  wait('the quick fix writes the right word', function()
    return pcall(find, '(user {name :string}) -> {greeting :string}')
  end, function()
    return vim.api.nvim_buf_get_lines(0, 0, -1, true)
  end)
  wait_for_diagnostics(0)
  vim.cmd('silent write')
end

local function a_prompt_file_is_checked()
  vim.cmd.edit('welcome.prompt.md')
  local found = wait_for_diagnostics(1)[1]
  local line, column = find('nam}}')
  local inside = found.lnum == line and found.col <= column and found.end_col >= column + 3
  check('the unknown placeholder is underlined', inside, found)
  replace('user.nam}}', 'user.name}}')
  wait_for_diagnostics(0)
end

local function the_server_ends_with_the_editor()
  local client = vim.lsp.get_clients({ name = 'signature_ls' })[1]
  client:stop()
  wait('the server ends when told', function()
    return client:is_stopped()
  end)
end

local function main()
  -- Everything but the place of the binary is as it is shipped.
  vim.lsp.config('signature_ls', { cmd = { vim.env.SIGNATURE_LS } })
  vim.lsp.enable('signature_ls')
  vim.cmd.cd(vim.fn.expand('%:p:h'))

  faults_are_seen_and_follow_edits()
  a_hover_is_shown()
  a_quick_fix_is_applied()
  a_prompt_file_is_checked()
  the_server_ends_with_the_editor()
end

local ok, problem = xpcall(main, function(message)
  return debug.traceback(message, 2)
end)
if not ok then
  io.stderr:write('FAILED: ' .. tostring(problem) .. '\n')
  vim.cmd('cq! 1')
end
io.stdout:write(passed .. ' passed, 0 failed\n')
vim.cmd('qall!')
