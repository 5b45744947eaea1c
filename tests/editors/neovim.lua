-- Drives the server through Neovim like a user: the runtime folder on the path, and one `enable`.
--
-- Run by ./run with the program on the PATH; the folder of the fixtures is in $FIXTURES, the tree-sitter
-- parsers in $PARSERS. Ends with a count, and with exit code 1 where something failed.

local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local fixtures = assert(os.getenv('FIXTURES'), 'FIXTURES is not set')
local repository = assert(vim.uv.fs_realpath(here .. '/../..'))

-- Long enough for a busy machine.
local TIMEOUT_MS = 30000
local MISTAKE, FIXED = ':strng', ':string'

local passed, failures = 0, {}

local function test(name, body)
  local ok, message = xpcall(body, debug.traceback)
  if ok then
    passed = passed + 1
    print('ok   ' .. name)
  else
    table.insert(failures, name)
    print('FAIL ' .. name .. '\n' .. message)
  end
end

local function equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s: expected %s, got %s'):format(what, vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

local function wait_for(what, condition)
  local result
  if not vim.wait(TIMEOUT_MS, function()
    result = condition()
    return result
  end, 10) then
    error('waited in vain for ' .. what, 2)
  end
  return result
end

--- The one client of the buffer.
local function client()
  return wait_for('a client', function()
    return vim.lsp.get_clients({ bufnr = 0, name = 'signature_ls' })[1]
  end)
end

--- The text under each finding, in the order of the text.
local function findings()
  local found = vim.diagnostic.get(0)
  table.sort(found, function(a, b)
    return a.lnum < b.lnum or (a.lnum == b.lnum and a.col < b.col)
  end)
  return vim.tbl_map(function(finding)
    local text = vim.api.nvim_buf_get_text(0, finding.lnum, finding.col, finding.end_lnum, finding.end_col, {})
    return { code = finding.code, text = table.concat(text, '\n') }
  end, found)
end

local function wait_for_findings(expected)
  local last
  local ok = vim.wait(TIMEOUT_MS, function()
    last = findings()
    return vim.deep_equal(last, expected)
  end, 10)
  if not ok then
    error(('expected findings %s, got %s'):format(vim.inspect(expected), vim.inspect(last)), 2)
  end
end

local THE_MISTAKE = { { code = 'unknown-type', text = MISTAKE } }

--- Puts the cursor on the first `word` of the buffer.
local function go_to(word)
  vim.fn.cursor(1, 1)
  if vim.fn.search([[\V]] .. word, 'cW') == 0 then
    error('no ' .. word .. ' in the buffer', 2)
  end
end

--- Applies the quick fix at the cursor whose title contains `word`.
local function take_fix(word)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.kind == 'quickfix' and action.title:find(word, 1, true) ~= nil
    end,
  })
end

local function edit(file)
  vim.cmd('silent %bwipeout!')
  vim.cmd.edit(fixtures .. '/' .. file)
end

local function keys(typed)
  vim.api.nvim_feedkeys(vim.keycode(typed), 'xt', false)
end

--- The process id of the running server, as the system knows it.
local function server_pid()
  local children = vim.system({ 'pgrep', '-x', '-P', tostring(vim.uv.os_getpid()), 'signature-ls' }):wait().stdout
  return tonumber(vim.trim(children))
end

vim.opt.runtimepath:prepend(repository .. '/editors/neovim')
vim.o.swapfile = false
vim.cmd('filetype off | filetype plugin on | syntax on')
vim.cmd.runtime('plugin/signature_ls.lua')
vim.lsp.enable('signature_ls')

local parsers = assert(os.getenv('PARSERS'), 'PARSERS is not set')
for _, language in ipairs({ 'elixir', 'json', 'signature', 'yaml' }) do
  vim.treesitter.language.add(language, { path = ('%s/%s.so'):format(parsers, language) })
end
vim.treesitter.language.add('clojure', { path = parsers .. '/clojure.so', symbol_name = 'clojure_orchard' })

local cases = vim.json.decode(table.concat(vim.fn.readfile(here .. '/cases.json'), '\n'))

for _, case in ipairs(cases) do
  test(case.file .. ' is recognised', function()
    edit(case.file)
    equal(vim.bo.filetype, case.filetype, 'filetype')
    client()
  end)

  test(case.file .. ' shows the mistake, just that', function()
    wait_for_findings(THE_MISTAKE)
  end)

  test(case.file .. ' explains on hover', function()
    go_to(case.hover)
    vim.lsp.buf.hover()
    local window = wait_for('a floating window', function()
      return vim.iter(vim.api.nvim_list_wins()):find(function(win)
        return vim.api.nvim_win_get_config(win).relative ~= ''
      end)
    end)
    local text = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
    assert(table.concat(text, '\n'):find(case.hover, 1, true), vim.inspect(text))
    vim.api.nvim_win_close(window, true)
  end)

  test(case.file .. ' is fixed by a quick fix', function()
    go_to(MISTAKE)
    local before = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    take_fix(FIXED)
    wait_for_findings({})
    local expected = vim.tbl_map(function(line)
      return (line:gsub(MISTAKE, FIXED))
    end, before)
    equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), expected, 'text')
  end)

  test(case.file .. ' is followed while one types after emoji', function()
    go_to(FIXED)
    -- First past the colon: the word becomes the mistake again. Then the word is typed again.
    keys('lcestrng<Esc>')
    wait_for_findings(THE_MISTAKE)
    vim.cmd('silent undo')
    wait_for_findings({})
    -- Adds characters to the line that take two, one and three units and bytes.
    go_to('🧑')
    keys('i😀é<Esc>')
    go_to(FIXED)
    keys('lcestrng<Esc>')
    wait_for_findings(THE_MISTAKE)
  end)
end

test('a finding says what is wrong, how bad it is and who says so', function()
  edit('letter.prompt')
  wait_for_findings(THE_MISTAKE)
  local finding = vim.diagnostic.get(0)[1]
  equal(finding.severity, vim.diagnostic.severity.ERROR, 'severity')
  equal(finding.source, 'signature-ls', 'source')
  assert(finding.message:find(FIXED, 1, true), finding.message)
end)

test('a placeholder is checked against the parameters, and fixed', function()
  edit('ours.prompt.md')
  equal(vim.bo.filetype, 'markdown', 'filetype')
  vim.cmd('silent %s/' .. MISTAKE .. '/' .. FIXED)
  wait_for_findings({})
  vim.cmd('silent %s/user.name/usr.name')
  wait_for_findings({ { code = 'unknown-placeholder', text = 'usr' } })
  go_to('usr')
  take_fix('`user`')
  wait_for_findings({})
  equal(vim.api.nvim_buf_get_lines(0, 3, 4, true), { 'Answer {{user.name}}.' }, 'text')
end)

test('all safe fixes are applied at once', function()
  edit('habits.json')
  wait_for('the findings', function()
    return #findings() == 2
  end)
  vim.lsp.buf.code_action({ apply = true, context = { only = { 'source.fixAll' }, diagnostics = {} } })
  wait_for_findings({})
  assert(vim.fn.search([[\V"(id :int) -> {name :string}"]], 'cw') > 0, vim.fn.getline(2))
end)

test('the preview shows what the model sees, and follows the cursor and the text', function()
  edit('search.prompt')
  client()
  local windows = #vim.api.nvim_list_wins()
  vim.cmd('SignaturePreview')
  equal(#vim.api.nvim_list_wins(), windows + 1, 'windows')
  local shown = vim.iter(vim.api.nvim_list_wins()):find(function(win)
    return win ~= vim.api.nvim_get_current_win()
  end)
  local function shows(text)
    wait_for(text, function()
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(shown), 0, -1, false)
      return table.concat(lines, '\n'):find(text, 1, true) ~= nil
    end)
  end
  vim.api.nvim_exec_autocmds('CursorMoved', { buffer = 0 })
  shows('Search for ‹query :string›')
  go_to('Search for')
  keys('cwFind all<Esc>')
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = 0 })
  shows('Find all for ‹query :string›')
  vim.api.nvim_win_close(shown, true)
  vim.lsp.commands['signature-ls.showPreview']({ arguments = { vim.uri_from_bufnr(0), { line = 2, character = 0 } } })
  equal(#vim.api.nvim_list_wins(), windows + 1, 'windows of the lens')
  equal(vim.api.nvim_win_get_cursor(0)[1], 3, 'the line of the lens')
  vim.cmd('only')
end)

--- The server's answer to `method` at the cursor, with `more` parameters.
local function ask(method, more)
  local server = client()
  local answer
  wait_for('an answer to ' .. method, function()
    local params = vim.lsp.util.make_position_params(0, server.offset_encoding)
    answer = assert(server:request_sync(method, vim.tbl_extend('force', params, more or {}), TIMEOUT_MS, 0))
    -- A change that arrives meanwhile invalidates the answer; editors ask again.
    return not (answer.err and answer.err.code == vim.lsp.protocol.ErrorCodes.ContentModified)
  end)
  assert(not answer.err, vim.inspect(answer.err))
  return answer.result or {}
end

--- The word at the cursor once `condition` holds for it.
local function wait_for_cursor(line, word)
  wait_for('the cursor on ' .. word .. ' in line ' .. line, function()
    return vim.fn.line('.') == line and vim.fn.expand('<cword>') == word
  end)
end

test('a placeholder is completed as it is typed', function()
  edit('search.prompt')
  local server = client()
  vim.lsp.completion.enable(true, server.id, 0)
  go_to('{{query}}')
  keys('ct.{{<Esc>')
  vim.fn.cursor(0, vim.fn.col('$'))
  go_to('{{.')
  vim.fn.cursor(0, vim.fn.col('.') + 2)
  local items = ask('textDocument/completion').items or ask('textDocument/completion')
  local labels = vim.tbl_map(function(item) return item.label end, items)
  assert(vim.list_contains(labels, 'query'), vim.inspect(labels))
end)

test('a name leads to its declaration, and back to its uses', function()
  edit('search.prompt')
  client()
  go_to('{{query}}')
  keys('ll')
  vim.lsp.buf.definition()
  wait_for_cursor(3, 'query')
  equal(#ask('textDocument/references', { context = { includeDeclaration = true } }), 2, 'references')
  equal(#ask('textDocument/documentHighlight'), 2, 'highlights')
  equal(#ask('textDocument/typeDefinition') > 0, true, 'type definition')
end)

test('a parameter is renamed in signature and prompt', function()
  edit('search.prompt')
  client()
  go_to('limit')
  vim.lsp.buf.rename('at_most')
  wait_for('the new name', function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return select(2, text:gsub('at_most', '')) == 4 and not text:find('limit', 1, true)
  end)
end)

test('a signature is refactored', function()
  edit('names.prompt')
  client()
  go_to('query :string')
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == 'Make `query` optional'
    end,
  })
  wait_for('the optional parameter', function()
    return vim.fn.search([[\V(query :string?,]], 'cnw') > 0
  end)
end)

test('check --fix changes a file that is open', function()
  local file = fixtures .. '/mistakes.yaml'
  edit('mistakes.yaml')
  wait_for('the findings', function()
    return #findings() > 0
  end)
  equal(vim.system({ 'signature-ls', 'check', '--fix', file }):wait().code, 0, 'exit code')
  vim.cmd.checktime()
  wait_for_findings({})
  assert(vim.fn.search([[\V(id :int, name :string)]], 'cw') > 0, vim.fn.getline(1))
end)

test('names lead to other files and are renamed there', function()
  local root = fixtures .. '/shop'
  vim.fn.mkdir(root .. '/.git', 'p')
  vim.fn.writefile({ 'search(query :string) -> :any' }, root .. '/tools.sig')
  vim.fn.writefile({ '(tool/search {:query "x"})' }, root .. '/call.clj')
  edit('shop/call.clj')
  local server = client()
  go_to('search')
  vim.lsp.buf.definition()
  wait_for_cursor(1, 'search')
  wait_for('the catalog', function()
    return vim.endswith(vim.api.nvim_buf_get_name(0), 'tools.sig')
  end)
  client()
  go_to('query')
  vim.lsp.buf.rename('text')
  wait_for('the new name in the other file', function()
    local lines = vim.api.nvim_buf_get_lines(vim.fn.bufnr(root .. '/call.clj'), 0, -1, false)
    return lines[1] == '(tool/search {:text "x"})'
  end)
  server:stop(true)
  wait_for('the end of the client', function()
    return server:is_stopped()
  end)
end)

test('tags of a section are linked', function()
  edit('search.prompt')
  client()
  go_to('{{#limit}}')
  keys('lll')
  equal(#ask('textDocument/linkedEditingRange').ranges, 2, 'ranges')
end)

test('a document has symbols, folds, selections, colours and links', function()
  edit('search.prompt')
  client()
  local document = { textDocument = vim.lsp.util.make_text_document_params() }
  equal(#ask('textDocument/documentSymbol', document) > 0, true, 'symbols')
  equal(#ask('textDocument/foldingRange', document) > 0, true, 'folds')
  equal(#ask('textDocument/semanticTokens/full', document).data > 0, true, 'tokens')
  equal(ask('textDocument/documentLink', document), {}, 'links')
  go_to('query')
  local place = vim.lsp.util.make_position_params(0, client().offset_encoding).position
  local selection = ask('textDocument/selectionRange', { positions = { place } })[1]
  assert(selection.parent and selection.parent.parent, vim.inspect(selection))
end)

test('a call shows its parameters, a bare tool its signature, and a tool its uses', function()
  local file = fixtures .. '/tools.exs'
  vim.fn.writefile({
    'defmodule Search do',
    '  @spec run(String.t(), integer()) :: [map()]',
    '  def run(query, limit), do: [{query, limit}]',
    '  def agent do',
    '    SubAgent.run(~S|(tool/search {:query "x" :limit 1})|,',
    '      signature: "() -> :any", tools: %{"search" => &run/2}, context: %{})',
    '    Lisp.run("(tool/search {:query \\"x\\" })", tools: %{"search" => {&run/2, "(query :string, limit :int) -> [:map]"}})',
    '  end',
    'end',
  }, file)
  edit('tools.exs')
  client()
  local document = { textDocument = vim.lsp.util.make_text_document_params() }
  local range = { start = { line = 0, character = 0 }, ['end'] = { line = 8, character = 0 } }
  local hints = ask('textDocument/inlayHint', vim.tbl_extend('error', document, { range = range }))
  equal(#hints, 1, 'hints')
  equal(#ask('textDocument/codeLens', document) > 0, true, 'lenses')
  go_to('Lisp.run')
  keys('f}')
  local help = ask('textDocument/signatureHelp')
  assert(help.signatures and #help.signatures == 1, vim.inspect(help))
end)

test('symbols and calls of the workspace are found', function()
  edit('tools.sig')
  client()
  local symbols = ask('workspace/symbol', { query = 'srch' })
  local found = vim.tbl_filter(function(it) return it.name == 'search' end, symbols)
  equal(#found > 0, true, 'workspace symbols')
  go_to('search')
  local items = ask('textDocument/prepareCallHierarchy')
  equal(items[1].name, 'search', 'call hierarchy')
  equal(type(ask('callHierarchy/incomingCalls', { item = items[1] })), 'table', 'incoming calls')
  edit('search.prompt')
  client()
  local listing = ask('workspace/executeCommand', {
    command = 'signature-ls.listing',
    arguments = { vim.uri_from_bufnr(0) },
  })
  assert(listing:find('search', 1, true), listing)
end)

test('what the server offers is tried here', function()
  -- An addition to this list needs a test above, and one in vscode/tests.mjs.
  local tried = {
    'callHierarchyProvider',
    'codeActionProvider',
    'codeLensProvider',
    'completionProvider',
    'definitionProvider',
    'documentHighlightProvider',
    'documentLinkProvider',
    'documentSymbolProvider',
    'executeCommandProvider',
    'foldingRangeProvider',
    'hoverProvider',
    'inlayHintProvider',
    'linkedEditingRangeProvider',
    'referencesProvider',
    'renameProvider',
    'selectionRangeProvider',
    'semanticTokensProvider',
    'signatureHelpProvider',
    'typeDefinitionProvider',
    'workspaceSymbolProvider',
  }
  local offered = vim.tbl_filter(function(name)
    return vim.endswith(name, 'Provider')
  end, vim.tbl_keys(client().server_capabilities))
  table.sort(offered)
  equal(offered, tried, 'capabilities')
end)

test('the server comes back after it was killed', function()
  edit('letter.prompt')
  wait_for_findings(THE_MISTAKE)
  local first = assert(server_pid(), 'no server process')
  vim.uv.kill(first, 'sigkill')
  wait_for('the end of the client', function()
    return #vim.lsp.get_clients({ name = 'signature_ls' }) == 0
  end)
  vim.cmd.edit()
  client()
  wait_for_findings(THE_MISTAKE)
  assert(server_pid() ~= first, 'the same process')
end)

test('an edition can be set', function()
  vim.lsp.config('signature_ls', { settings = { ['signature-ls'] = { edition = '0.5' } } })
  vim.lsp.enable('signature_ls', false)
  wait_for('the end of the client', function()
    return #vim.lsp.get_clients({ name = 'signature_ls' }) == 0
  end)
  vim.lsp.enable('signature_ls')
  edit('letter.prompt')
  client()
  wait_for_findings(THE_MISTAKE)
  go_to(MISTAKE)
  keys('lcedatetime<Esc>')
  wait_for_findings({ { code = 'unknown-type', text = ':datetime' } })
end)

test('the settings file has diagnostics, fixes and completion', function()
  edit('settings/signature-ls.toml')
  equal(vim.bo.filetype, 'toml', 'filetype')
  local server = client()
  wait_for('the finding', function()
    local found = findings()
    return #found == 1 and found[1].text == '"0.6"'
  end)
  go_to('"0.6"')
  keys('f6')
  take_fix('0.5')
  wait_for_findings({})
  keys('Gounused<Esc>')
  local items = ask('textDocument/completion')
  local labels = vim.tbl_map(function(item) return item.label end, items.items or items)
  assert(vim.list_contains(labels, 'unused-parameter'), vim.inspect(labels))
  server:stop(true)
  wait_for('the end of the client', function()
    return server:is_stopped()
  end)
end)

test('other TOML files are left alone', function()
  local path = vim.fn.tempname() .. '.toml'
  vim.fn.writefile({ 'edition = "0.6"' }, path)
  vim.cmd.edit(path)
  equal(vim.bo.filetype, 'toml', 'filetype')
  vim.wait(200)
  equal(#vim.lsp.get_clients({ bufnr = 0 }), 0, 'clients')
end)

test('keys of one\'s own can be set', function()
  edit('contract.ex')
  local settings = { ['signature-ls'] = { signature = { keys = { 'contract' } } } }
  client():notify('workspace/didChangeConfiguration', { settings = settings })
  wait_for_findings(THE_MISTAKE)
end)

test('comments are written as the file types have them', function()
  for file, commentstring in pairs({ ['tools.sig'] = '# %s', ['letter.prompt'] = '{{! %s }}' }) do
    edit(file)
    equal(vim.bo.commentstring, commentstring, file)
  end
end)

test('a .sig file of Standard ML keeps its type', function()
  local path = vim.fn.tempname() .. '.sig'
  vim.fn.writefile({ 'signature STACK =', 'sig', 'end' }, path)
  vim.cmd.edit(path)
  equal(vim.bo.filetype, 'sml', 'filetype')
end)

test('a catalog is coloured without a parser', function()
  edit('tools.sig')
  local function group(word)
    go_to(word)
    return vim.fn.synIDattr(vim.fn.synID(vim.fn.line('.'), vim.fn.col('.'), 1), 'name')
  end
  equal(group('Tools'), 'signatureCatalogComment', 'comment')
  equal(group('search'), 'signatureCatalogName', 'name')
  equal(group(':strng'), 'signatureCatalogUnknownType', 'unknown type')
  equal(group(':int'), 'signatureCatalogType', 'type')
  equal(group('Search'), 'signatureCatalogDescription', 'description')
end)

local has_no_parser = { ['signature-catalog'] = true }

for _, case in ipairs(vim.tbl_filter(function(case) return not has_no_parser[case.filetype] end, cases)) do
  test(case.file .. ' is coloured by tree-sitter', function()
    edit(case.file)
    vim.cmd('silent %s/' .. MISTAKE .. '/' .. FIXED)
    local language = vim.treesitter.language.get_lang(vim.bo.filetype)
    local parser = assert(vim.treesitter.get_parser(0, language))
    parser:parse(true)
    go_to(FIXED)
    local row, column = vim.fn.line('.') - 1, vim.fn.col('.') - 1
    local range = { row, column, row, column + #FIXED }
    wait_for('the colours of a signature', function()
      -- The highlighter may be in the middle of parsing the text before the edit.
      parser:parse(true)
      return parser:language_for_range(range):lang() == 'signature'
    end)
    local root = assert(parser:tree_for_range(range, { ignore_injections = false })):root()
    equal(root:has_error(), false, 'error in ' .. vim.treesitter.get_node_text(root, 0))
    assert(vim.treesitter.get_node_text(root, 0):match('^%(.*%) %-> %S.*$'), 'not the whole signature')
    vim.treesitter.start(0, language)
    local captures = vim.tbl_map(function(capture)
      return capture.lang .. ' ' .. capture.capture
    end, vim.treesitter.get_captures_at_pos(0, row, column))
    assert(vim.list_contains(captures, 'signature type.builtin'), vim.inspect(captures))
  end)
end

test('the help has its tags', function()
  vim.cmd('helptags ' .. repository .. '/editors/neovim/doc')
  vim.cmd.help('signature-ls-setup')
  vim.cmd.helpclose()
end)

--- The first block of Lua below `heading` in the README of the runtime folder.
local function readme_lines(heading)
  local readme = table.concat(vim.fn.readfile(repository .. '/editors/neovim/README.md'), '\n')
  local _, last = readme:find('## ' .. heading, 1, true)
  return assert(readme:match('```lua\n(.-)```', assert(last, heading)))
end

for _, heading in ipairs({ 'By hand', 'Without this folder' }) do
  test('the lines of the README are enough: ' .. heading, function()
    local home = vim.fn.tempname()
    vim.fn.mkdir(home, 'p')
    vim.uv.fs_symlink(repository, home .. '/signature-ls')
    vim.fn.writefile(vim.split(readme_lines(heading), '\n'), home .. '/init.lua')
    local wait = ('lua vim.wait(%d, function() return #vim.diagnostic.get(0) > 0 end)'):format(TIMEOUT_MS)
    local tell = 'lua io.stdout:write(vim.diagnostic.get(0)[1].code)'
    local command = { vim.v.progpath, '--headless', '-u', home .. '/init.lua', fixtures .. '/agent.ex' }
    vim.list_extend(command, { '-c', wait, '-c', tell, '-c', 'qall!' })
    equal(vim.system(command, { env = { HOME = home } }):wait().stdout, 'unknown-type', 'finding')
  end)
end

test('the server ends on request', function()
  edit('letter.prompt')
  client()
  vim.lsp.enable('signature_ls', false)
  wait_for('the end of the process', function()
    return server_pid() == nil
  end)
end)

io.stdout:write(('\nneovim: %d passed, %d failed\n'):format(passed, #failures))
vim.cmd(#failures == 0 and 'qall!' or 'cquit! 1')
