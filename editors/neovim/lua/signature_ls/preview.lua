-- A split that shows what a model receives for the agent at the cursor. It follows the cursor and the text.

local M = {}

local METHOD = 'signature-ls/preview'

--- The split and the buffer that it follows; nil without a split.
---@type { source: integer, buffer: integer, sample: integer?, group: integer, cancel: fun()? }?
local preview

---@param answer { name: string?, samples: integer, parts: { title: string, text: string, problems: string[], characters: integer, tokens: integer? }[] }
local function lines_of(answer)
  local lines = {}
  for _, part in ipairs(answer.parts) do
    local tokens = part.tokens and (', %d tokens'):format(part.tokens) or ''
    vim.list_extend(lines, { ('# %s (%d characters%s)'):format(part.title, part.characters, tokens), '' })
    for _, problem in ipairs(part.problems) do
      table.insert(lines, '> ' .. problem)
    end
    vim.list_extend(lines, vim.split(part.text, '\r?\n'))
    table.insert(lines, '')
  end
  return lines
end

local function show(lines)
  if not preview or not vim.api.nvim_buf_is_valid(preview.buffer) then
    return
  end
  vim.bo[preview.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(preview.buffer, 0, -1, false, lines)
  vim.bo[preview.buffer].modifiable = false
end

local update
function update()
  if not preview or vim.api.nvim_get_current_buf() ~= preview.source then
    return
  end
  local client = vim.lsp.get_clients({ bufnr = preview.source, name = 'signature_ls' })[1]
  if not client then
    return show({ 'The server does not run for this buffer.' })
  end
  if preview.cancel then
    preview.cancel()
  end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  params.sample = preview.sample
  local ok, id = client:request(METHOD, params, function(err, answer)
    if not preview then
      return
    end
    preview.cancel = nil
    if err then
      return err.code == vim.lsp.protocol.ErrorCodes.ContentModified and vim.schedule(update)
    end
    if answer and answer ~= vim.NIL then
      return show(lines_of(answer))
    end
    show({ 'Put the cursor on an agent: a prompt and its signature.' })
  end, preview.source)
  preview.cancel = ok and function()
    client:cancel_request(id)
  end or nil
end

local function close()
  if preview then
    vim.api.nvim_del_augroup_by_id(preview.group)
    preview = nil
  end
end

---Opens the split, or shows another sample in the one that is open.
---@param sample integer? which sample gives the values, from 1; nil for names and types
function M.open(sample)
  sample = sample and sample - 1
  local is_open = preview and vim.api.nvim_buf_is_valid(preview.buffer)
  if is_open and preview.source == vim.api.nvim_get_current_buf() then
    preview.sample = sample
    return update()
  end
  close()
  local source = vim.api.nvim_get_current_buf()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'markdown'
  vim.api.nvim_open_win(buffer, false, { split = 'right' })
  local group = vim.api.nvim_create_augroup('signature_ls_preview', {})
  preview = { source = source, buffer = buffer, sample = sample, group = group }
  local events = { 'CursorMoved', 'CursorMovedI', 'TextChanged', 'TextChangedI', 'LspAttach' }
  vim.api.nvim_create_autocmd(events, { group = group, buffer = source, callback = update })
  vim.api.nvim_create_autocmd('BufWipeout', { group = group, buffer = buffer, callback = vim.schedule_wrap(close) })
  update()
end

return M
